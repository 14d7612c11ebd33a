import { findPath, isObject, type JsonObject } from '@trestle/protocol'
import { ComposeError } from './compose-error.ts'
import { isTruthy, operators } from './rule-operators.ts'

const maxDepth = 50
const maxDataDepth = 500
const maxSteps = 100_000
const maxOperands = 1000
/** The number of characters or list items that an operator processes per step. */
const partsPerStep = 16
/** Operators that iterate over their operands, or convert them to strings; the others read one value. */
const overLists: ReadonlySet<string> = new Set(['in', '!in', 'contains', 'merge'])
const overTexts: ReadonlySet<string> = new Set(['+', '*', 'cat', 'substr', 'startsWith', 'endsWith'])
const tooLong = `it takes more than ${maxSteps} steps`
const notOne = 'a rule is an object with one operator'
const notRule = `${notOne}, or true or false`
const tooMany = `an operator has at most ${maxOperands} operands`
const unknownOperator = (operator: string): string => `the operator "${operator.slice(0, 50)}" is unknown`

/**
 * Evaluates a JSON logic rule.
 *
 * @param rule - The rule, such as `{ "==": [{ "var": "payload.plan" }, "free"] }`.
 * @param variables - The values for `var`, which reads dotted paths.
 * @throws {ComposeError} The rule has an unknown operator, or takes too long.
 * @see https://jsonlogic.com
 */
export function holdsRule(rule: unknown, variables: JsonObject): boolean {
  return isTruthy(evaluate(rule, { data: variables, depth: 0, work: { left: maxSteps } }))
}

/**
 * Returns the part of a rule that can never be evaluated, in any branch: an unknown operator, or an object that is not
 * a rule.
 *
 * @param rule - The stored rule.
 */
export function findRuleFault(rule: unknown, depth = 0): string | undefined {
  if (depth > maxDepth) return 'it is nested too deep'
  if (Array.isArray(rule)) return firstFault(rule, depth)
  if (!isObject(rule)) return depth > 0 || isNoRule(rule) || rule === true ? undefined : notRule
  const [[operator, operand] = [], ...others] = Object.entries(rule)
  // An empty object at the top level means that the step has no rule.
  if (operator === undefined && depth === 0) return undefined
  if (operator === undefined || others.length > 0) return notOne
  const operands = Array.isArray(operand) ? operand : [operand]
  if (operands.length > maxOperands) return tooMany
  if (!Object.hasOwn(lazy, operator) && !Object.hasOwn(operators, operator)) return unknownOperator(operator)
  return firstFault(operands, depth)
}

/** Returns whether a step has no rule. */
const isNoRule = (rule: unknown): boolean => rule === undefined || rule === null || rule === false || rule === ''

function firstFault(rules: readonly unknown[], depth: number): string | undefined {
  for (const rule of rules) {
    const fault = findRuleFault(rule, depth + 1)
    if (fault !== undefined) return fault
  }
  return undefined
}

/** The context of a rule: the values for `var`, and the remaining steps. */
interface Scope {
  readonly data: unknown
  readonly depth: number
  readonly work: { left: number }
}

type Evaluate = (rule: unknown, data?: { readonly value: unknown }) => unknown
type Operator = (operands: readonly unknown[], evaluate: Evaluate, scope: Scope) => unknown

/** Operators that control which operands are evaluated, how often, and on what data. */
const lazy: Readonly<Record<string, Operator>> = {
  var: (operands, run, { data }) =>
    readVariable(
      data,
      operands.map((operand) => run(operand)),
    ),
  missing: (operands, run, scope) =>
    findMissing(
      scope,
      operands.flatMap((operand) => run(operand)),
    ),
  missing_some([least, names], run, scope) {
    const all = toList(run(names))
    const missing = findMissing(scope, all)
    return all.length - missing.length >= Number(run(least)) ? [] : missing
  },
  and: (operands, run) => chain(operands, run, (value) => !isTruthy(value)),
  or: (operands, run) => chain(operands, run, isTruthy),
  if: choose,
  '?:': choose,
  map: ([list, rule], run) => toList(run(list)).map((value) => run(rule, { value })),
  filter: ([list, rule], run) => toList(run(list)).filter((value) => isTruthy(run(rule, { value }))),
  some: ([list, rule], run) => toList(run(list)).some((value) => isTruthy(run(rule, { value }))),
  none: ([list, rule], run) => !toList(run(list)).some((value) => isTruthy(run(rule, { value }))),
  all([list, rule], run) {
    const items = toList(run(list))
    return items.length > 0 && items.every((value) => isTruthy(run(rule, { value })))
  },
  reduce: ([list, rule, first], run) =>
    toList(run(list)).reduce<unknown>(
      (accumulator, current) => run(rule, { value: { current, accumulator } }),
      run(first) ?? null,
    ),
}

function evaluate(rule: unknown, scope: Scope): unknown {
  if (scope.depth > maxDepth) throw unusable('it is nested too deep')
  if (--scope.work.left < 0) throw unusable(tooLong)
  const run: Evaluate = (inner, data) =>
    evaluate(inner, { ...scope, depth: scope.depth + 1, ...(data && { data: data.value }) })
  if (Array.isArray(rule)) return rule.map((item) => run(item))
  if (!isObject(rule)) return rule
  const [[operator, operand] = [], ...others] = Object.entries(rule)
  if (operator === undefined || others.length > 0) throw unusable(notOne)
  const operands = Array.isArray(operand) ? operand : [operand]
  if (operands.length > maxOperands) throw unusable(tooMany)
  if (Object.hasOwn(lazy, operator)) return lazy[operator]?.(operands, run, scope)
  if (Object.hasOwn(operators, operator)) {
    const values = operands.map((one) => run(one))
    if (overLists.has(operator)) for (const value of values) scope.work.left -= lengthOf(value) / partsPerStep
    if (overTexts.has(operator)) charge(values, scope.work)
    if (scope.work.left < 0) throw unusable(tooLong)
    return operators[operator]?.(...values)
  }
  throw unusable(unknownOperator(operator))
}

const lengthOf = (value: unknown): number => (Array.isArray(value) || typeof value === 'string' ? value.length : 0)

/** A string is built from all contents of a value, which may double forty times. */
function charge(value: unknown, work: { left: number }, depth = 0): void {
  const isText = typeof value === 'string'
  if (!isText && (typeof value !== 'object' || value === null)) return
  const parts = isText ? [] : Object.values(value)
  work.left -= (1 + (isText ? value.length : parts.length)) / partsPerStep
  if (work.left < 0 || depth > maxDataDepth) throw unusable(tooLong)
  for (const part of parts) charge(part, work, depth + 1)
}

function readVariable(data: unknown, [path, otherwise = null]: readonly unknown[]): unknown {
  const text = String(path ?? '')
  return (text === '' ? data : findPath(data, text.split('.'))) ?? otherwise
}

function findMissing({ data, work }: Scope, names: readonly unknown[]): readonly unknown[] {
  work.left -= names.length
  if (work.left < 0) throw unusable(tooLong)
  return names.filter((name) => [null, ''].includes(readVariable(data, [name]) as string | null))
}

const toList = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

function choose(operands: readonly unknown[], run: Evaluate): unknown {
  for (let at = 0; at + 1 < operands.length; at += 2) if (isTruthy(run(operands[at]))) return run(operands[at + 1])
  return operands.length % 2 === 1 ? run(operands.at(-1)) : null
}

function chain(operands: readonly unknown[], run: Evaluate, ends: (value: unknown) => boolean): unknown {
  let value: unknown = null
  for (const operand of operands) {
    value = run(operand)
    if (ends(value)) return value
  }
  return value
}

function unusable(reason: string): ComposeError {
  const message = `The control "skip" cannot be evaluated: ${reason}.`
  return new ComposeError('ExecutionEventControlInvalidError', message, [{ path: '/skip', message: reason }])
}
