import type { JsonObject } from '@trestle/protocol'
import { isObject } from '../json/json.ts'
import { readPath } from '../templates/render-template.ts'
import { ComposeError } from './compose-error.ts'

const maxDepth = 50

/**
 * Returns whether a rule of JSON logic holds.
 *
 * @param rule - The rule, such as `{ "==": [{ "var": "payload.plan" }, "free"] }`.
 * @param variables - What `var` reads, by a path with dots.
 * @throws {ComposeError} The rule has an operator that is not known.
 * @see https://jsonlogic.com
 */
export function holdsRule(rule: unknown, variables: JsonObject): boolean {
  return isTruthy(evaluate(rule, variables, 0))
}

type Evaluate = (rule: unknown) => unknown

/** The operators that decide which of their operands are evaluated. */
const lazy: Readonly<Record<string, (operands: readonly unknown[], evaluate: Evaluate) => unknown>> = {
  and: (operands, run) => chain(operands, run, (value) => !isTruthy(value)),
  or: (operands, run) => chain(operands, run, isTruthy),
  if(operands, run) {
    for (let at = 0; at + 1 < operands.length; at += 2) if (isTruthy(run(operands[at]))) return run(operands[at + 1])
    return operands.length % 2 === 1 ? run(operands.at(-1)) : null
  },
}

/** The operators of the values of their operands. */
const operators: Readonly<Record<string, (...values: readonly unknown[]) => unknown>> = {
  '!': (value) => !isTruthy(value),
  '!!': isTruthy,
  // JSON logic compares a number with its text as equal.
  '==': (left, right) => isEqual(left, right),
  '!=': (left, right) => !isEqual(left, right),
  '===': (left, right) => left === right,
  '!==': (left, right) => left !== right,
  '<': (...values) => isOrdered(values, (left, right) => left < right),
  '<=': (...values) => isOrdered(values, (left, right) => left <= right),
  '>': (...values) => isOrdered(values, (left, right) => left > right),
  '>=': (...values) => isOrdered(values, (left, right) => left >= right),
  in: isIn,
  '!in': (part, whole) => !isIn(part, whole),
  contains: (whole, part) => isIn(part, whole),
  startsWith: (text, start) => String(text ?? '').startsWith(String(start)),
  endsWith: (text, end) => String(text ?? '').endsWith(String(end)),
  null: (value) => value === null || value === undefined,
  notNull: (value) => value !== null && value !== undefined,
}

function evaluate(rule: unknown, variables: JsonObject, depth: number): unknown {
  const run: Evaluate = (inner) => evaluate(inner, variables, depth + 1)
  if (depth > maxDepth) throw unusable('it is nested too deep')
  if (Array.isArray(rule)) return rule.map(run)
  if (!isObject(rule)) return rule
  const [[operator, operand] = [], ...others] = Object.entries(rule)
  if (operator === undefined || others.length > 0) throw unusable('a rule is an object with one operator')
  const operands = Array.isArray(operand) ? operand : [operand]
  if (operator === 'var') return readVariable(variables, operands.map(run))
  if (Object.hasOwn(lazy, operator)) return lazy[operator]?.(operands, run)
  if (Object.hasOwn(operators, operator)) return operators[operator]?.(...operands.map(run))
  throw unusable(`the operator "${operator.slice(0, 50)}" is not known`)
}

function readVariable(variables: JsonObject, [path, otherwise = null]: readonly unknown[]): unknown {
  const text = String(path ?? '')
  return (text === '' ? variables : readPath(variables, text.split('.'))) ?? otherwise
}

function chain(operands: readonly unknown[], run: Evaluate, ends: (value: unknown) => boolean): unknown {
  let value: unknown = null
  for (const operand of operands) {
    value = run(operand)
    if (ends(value)) return value
  }
  return value
}

/** An empty list does not hold, unlike in JavaScript. */
function isTruthy(value: unknown): boolean {
  return Array.isArray(value) ? value.length > 0 : Boolean(value)
}

function isEqual(left: unknown, right: unknown): boolean {
  if (left === right || (left ?? null) === (right ?? null)) return true
  const simple = [left, right].every((value) => ['string', 'number', 'boolean'].includes(typeof value))
  return simple && typeof left !== typeof right && Number(left) === Number(right)
}

function isOrdered(values: readonly unknown[], compare: (left: never, right: never) => boolean): boolean {
  const isText = values.every((value) => typeof value === 'string')
  const known = isText
    ? values
    : values.map((value) => (value === null || value === undefined ? Number.NaN : Number(value)))
  return known.length > 1 && known.every((value, at) => at === 0 || compare(known[at - 1] as never, value as never))
}

function isIn(part: unknown, whole: unknown): boolean {
  if (Array.isArray(whole)) return whole.some((item) => isEqual(item, part))
  return typeof whole === 'string' && typeof part === 'string' && whole.includes(part)
}

function unusable(reason: string): ComposeError {
  const message = `The control "skip" cannot be evaluated: ${reason}.`
  return new ComposeError('ExecutionEventControlInvalidError', message, [{ path: '/skip', message: reason }])
}
