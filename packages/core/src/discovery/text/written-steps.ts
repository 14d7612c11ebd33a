import type { RegisteredWorkflow } from '../../bridge/registered-workflow.ts'
import { type StepKind, stepKinds } from '../../workflow/steps/step-kinds.ts'
import { isClosing, isDot, isOpening, toBegin, toEnd } from './brackets.ts'
import { toStepNames } from './parameters.ts'
import { scanTokens, type Token } from './scan-tokens.ts'
import { sourceOf } from './source-of.ts'

/** A step call that stands in a function's text with a literal id. */
export interface WrittenStep {
  readonly id: string
  readonly kind: StepKind
  /** Whether every run that does not throw calls it. In doubt it is false. */
  readonly isCertain: boolean
}

/** The steps that stand in a function's text. */
export interface WrittenSteps {
  /** In the order of the text. */
  readonly steps: readonly WrittenStep[]
  /** Whether the function can call no other step: its steps are used for such calls alone. In doubt it is false. */
  readonly isComplete: boolean
}

const known = new WeakMap<RegisteredWorkflow, WrittenSteps>()

/**
 * Returns the steps that stand in the text of a workflow function; read once.
 *
 * @param workflow - The workflow.
 */
export function writtenStepsOf(workflow: RegisteredWorkflow): WrittenSteps {
  const kept = known.get(workflow)
  if (kept) return kept
  const read = readSteps(sourceOf(workflow))
  known.set(workflow, read)
  return read
}

/** The text of a function that is bound, or a proxy. */
const nativeCode = /\{\s*\[native code\]\s*\}\s*$/

/**
 * Finds the calls `step.kind('id'` of a function. The text is read and never evaluated; it may be minified.
 *
 * @param source - As `Function.prototype.toString` returns it.
 */
export function readSteps(source: string): WrittenSteps {
  const { tokens, isExact } = scanTokens(source)
  const names = toStepNames(tokens)
  const { steps: objects, contexts, declared, body } = names
  const steps = new Map<string, WrittenStep>()
  let isComplete = isExact && names.isClosed && !nativeCode.test(source)
  for (const [index, token] of tokens.entries()) {
    const { type, value } = token
    if (type !== 'name' || declared.has(index) || isFieldName(tokens, index)) continue
    if (value === 'arguments' || value === 'eval') isComplete = false
    const isContext = contexts.has(value)
    if (!isContext && !objects.has(value)) continue
    const isField = isContext && isDot(tokens, index + 1) && tokens[index + 2]?.type === 'name'
    // Another field of the argument is not of interest.
    if (isField && tokens[index + 2]?.value !== 'step') continue
    const call = isContext && !isField ? undefined : toCall(tokens, isField ? index + 2 : index)
    if (!call) isComplete = false
    else if (!steps.has(call.id)) steps.set(call.id, { ...call, isCertain: isCertain(tokens, index, body) })
  }
  return { steps: [...steps.values()], isComplete }
}

/** Whether a name is that of a field: `payload.step`, `{ step: 1 }`. */
function isFieldName(tokens: readonly Token[], index: number): boolean {
  if (isDot(tokens, index - 1)) return true
  return tokens[index + 1]?.value === ':' && ['{', ','].includes(tokens[index - 1]?.value ?? '')
}

/** Reads `step.email('id',`. */
function toCall(tokens: readonly Token[], object: number): Pick<WrittenStep, 'id' | 'kind'> | undefined {
  const [kind, open, id, after] = tokens.slice(object + 2, object + 6)
  if (!isDot(tokens, object + 1) || kind?.type !== 'name' || !Object.hasOwn(stepKinds, kind.value)) return undefined
  if (open?.value !== '(' || open.type !== 'mark' || id?.type !== 'text') return undefined
  const isWhole = after?.type === 'mark' && (after.value === ',' || after.value === ')')
  return isWhole ? { id: id.value, kind: kind.value as StepKind } : undefined
}

const beginnings = new Set(['const', 'let', 'var', 'await', 'return', 'void', '=', ':'])
const statements = new Set(['if', 'for', 'while', 'with', 'switch', 'catch'])

/** Whether a call stands at the top of the function, as a statement that nothing decides about. */
function isCertain(tokens: readonly Token[], call: number, body: number): boolean {
  const start = tokens[body]?.value === '=>' ? body + 1 : body
  const isBlock = tokens[start]?.value === '{'
  if (isBlock && !isReachedPlainly(tokens, start + 1, call)) return false
  let at = call - 1
  // Back to the beginning of the statement, over the names that take the result.
  for (; at > start; at--) {
    const token = tokens[at] as Token
    if (token.type === 'mark' && token.value === '}' && tokens[at + 1]?.value === '=') at = toBegin(tokens, at)
    else if (!beginnings.has(token.value) && !(token.type === 'name' && tokens[at + 1]?.value === '=')) break
  }
  if (at < start || (at === start && (isBlock || tokens[at]?.value !== '('))) return true
  const before = tokens[at] as Token
  if (before.value === ')') {
    const head = tokens[toBegin(tokens, at) - 1]
    return head !== undefined && !statements.has(head.value)
  }
  if (before.type !== 'mark') return before.value !== 'else' && before.value !== 'do'
  return before.value === ';' || before.value === ']' || before.value === '``' || before.value === '}'
}

/** Whether nothing between two places ends the function, and both are at the same depth. */
function isReachedPlainly(tokens: readonly Token[], from: number, to: number): boolean {
  let depth = 0
  for (let at = from; at < to; at++) {
    const token = tokens[at] as Token
    const isFunction = token.value === '=>' || (token.value === ')' && isFunctionHead(tokens, at))
    if (isFunction && tokens[at + 1]?.value === '{') at = toEnd(tokens, at + 1)
    else if (isOpening(token)) depth++
    else if (isClosing(token)) depth--
    else if (token.value === 'return' || token.value === 'break' || token.value === 'continue') return false
  }
  return depth === 0
}

/** Whether a closing parenthesis ends the parameters of `function name(…)`. */
function isFunctionHead(tokens: readonly Token[], close: number): boolean {
  const open = toBegin(tokens, close)
  return [tokens[open - 1]?.value, tokens[open - 2]?.value].includes('function')
}
