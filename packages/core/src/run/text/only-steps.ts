import type { RegisteredWorkflow } from '../../bridge/registered-workflow.ts'
import { isDot, toBegin, toEnd, toParts } from '../../discovery/text/brackets.ts'
import { type StepNames, toStepNames } from '../../discovery/text/parameters.ts'
import { scanTokens, type Token } from '../../discovery/text/scan-tokens.ts'
import { callers, endsValue, functions, isArrow, libraries, methods, toOwner } from './calls.ts'

/** The maximum length of functions that are analyzed. */
const maxLength = 20_000
/** Names that can run code, or wait for something, that the source does not show. */
const suspects: ReadonlySet<string> = new Set(
  'class import yield eval this super arguments with using native'.split(' '),
)
const combinators: ReadonlySet<string> = new Set(['all', 'allSettled', 'any', 'race', 'resolve', 'reject'])
const reactions: ReadonlySet<string> = new Set(['then', 'catch', 'finally', 'forEach'])

const resultByWorkflow = new WeakMap<RegisteredWorkflow, boolean>()

/**
 * Returns whether the source of a workflow function shows that it awaits only steps, so that nothing more happens once
 * it is idle. Returns false if in doubt.
 *
 * @param workflow - The workflow with the function.
 */
export function awaitsOnlySteps(workflow: RegisteredWorkflow): boolean {
  const kept = resultByWorkflow.get(workflow)
  if (kept !== undefined) return kept
  const isProven = showsOnlySteps(Function.prototype.toString.call(workflow.run))
  resultByWorkflow.set(workflow, isProven)
  return isProven
}

interface Names {
  /** The expressions that refer to the steps: `step`, `context.step`. */
  readonly owners: ReadonlySet<string>
  /** Functions defined inside the workflow function. */
  readonly helpers: ReadonlySet<string>
  /** Variables and parameters of the workflow function. */
  readonly variables: ReadonlySet<string>
}

/**
 * Returns whether a function awaits only steps: every call in it, except in step arguments, is a step, a function
 * defined in it, or a built-in function without I/O. Returns false if in doubt.
 *
 * @param source - The source, as returned by `Function.prototype.toString`, minified or not.
 */
export function showsOnlySteps(source: string): boolean {
  if (source === '' || source.length > maxLength) return false
  const { tokens, isExact } = scanTokens(source)
  const stepNames = toStepNames(tokens)
  if (!isExact || !stepNames.isClosed) return false
  const names = toNames(tokens, stepNames)
  for (let at = stepNames.start; at < tokens.length; at++) {
    if (isSuspect(tokens, at, names)) return false
    // Handlers and options do not run in a replay; the id does.
    const handler = isStepCall(tokens, at, names) ? toParts(tokens, at)[1] : undefined
    if (handler === undefined) continue
    for (let id = at + 1; id < handler; id++) if (isSuspect(tokens, id, names)) return false
    at = toEnd(tokens, at)
  }
  return true
}

function toNames(tokens: readonly Token[], { steps, contexts }: StepNames): Names {
  const helpers = new Set<string>()
  const variables = new Set([...steps, ...contexts])
  for (const [index, { type, value }] of tokens.entries()) {
    if (type !== 'name') continue
    const next = tokens[index + 1]
    if (value === 'function' && next?.type === 'name') helpers.add(next.value)
    if (!['const', 'let', 'var'].includes(value) || !next) continue
    const end = next.value === '{' || next.value === '[' ? toEnd(tokens, index + 1) : index + 1
    for (const name of tokens.slice(index + 1, end + 1)) if (name.type === 'name') variables.add(name.value)
    if (next.type === 'name' && isFunction(tokens, index + 3)) helpers.add(next.value)
  }
  return { owners: new Set([...steps, ...[...contexts].map((name) => `${name}.step`)]), helpers, variables }
}

/** Returns whether a function starts at a token: `async () =>`, `item =>`, `function`. */
function isFunction(tokens: readonly Token[], index: number): boolean {
  const at = tokens[index]?.value === 'async' ? index + 1 : index
  return tokens[at]?.value === 'function' || isArrow(tokens, at)
}

function isSuspect(tokens: readonly Token[], index: number, names: Names): boolean {
  const { type, value, isHead } = tokens[index] as Token
  const before = tokens[index - 1]?.value ?? ''
  if (type === 'name') {
    if (isDot(tokens, index - 1)) return false
    if (suspects.has(value) || (before === 'new' && !functions.has(value))) return true
    return isAwaitedElsewhere(tokens, index, names)
  }
  // A tagged template is a function call, too.
  if (isHead || type === 'text' || type === 'pattern') return endsValue(tokens, index - 1)
  return type === 'mark' && value === '(' && endsValue(tokens, index - 1) && !isHarmless(tokens, index, names)
}

/** Returns whether a name may refer to an external promise: it is awaited, or an item of an awaited list. */
function isAwaitedElsewhere(tokens: readonly Token[], index: number, { variables, helpers }: Names): boolean {
  const { value } = tokens[index] as Token
  const before = tokens[index - 1]?.value ?? ''
  const after = tokens[index + 1]?.value ?? ''
  if (before === 'for' && value === 'await') return true
  const isItem = ['[', ',', '('].includes(before) && [']', ',', ')'].includes(after) && isInCombinator(tokens, index)
  if (before !== 'await' && !isItem) return false
  return !variables.has(value) && !helpers.has(value) && value !== 'Promise' && value !== 'async'
}

/** Returns whether a token is in the arguments of `Promise.all` or a similar method, possibly in a list. */
function isInCombinator(tokens: readonly Token[], index: number): boolean {
  let depth = 0
  for (let at = index - 1; at >= 0; at--) {
    const { type, value } = tokens[at] as Token
    if (type !== 'mark') continue
    if (value === ')' || value === ']' || value === '}') depth++
    else if (value === '{') return false
    else if (value === '(' || value === '[') {
      if (depth > 0) depth--
      else if (value === '(') return tokens[at - 3]?.value === 'Promise'
    }
  }
  return false
}

/** Returns whether the call at a parenthesis does no I/O. */
function isHarmless(tokens: readonly Token[], open: number, names: Names): boolean {
  const callee = tokens[open - 1]
  // A function that is called immediately after its definition.
  if (callee?.value === ')' && callee.type === 'mark') return isFunction(tokens, toBegin(tokens, open - 1) + 1)
  if (callee?.type !== 'name') return false
  if (callee.value === 'function' || (callee.value === 'async' && isArrow(tokens, open))) return true
  const owner = toOwner(tokens, open - 1)
  if (owner === undefined) return functions.has(callee.value) || names.helpers.has(callee.value)
  if (names.owners.has(owner) || libraries.has(owner)) return true
  if (owner === 'Promise') return combinators.has(callee.value)
  const calls = callers.has(callee.value) || reactions.has(callee.value)
  if (!calls) return methods.has(callee.value)
  const root = owner.split('.')[0] ?? ''
  // A callback of an external promise runs only after that promise settles.
  if (reactions.has(callee.value) && root !== '' && !names.variables.has(root) && callee.value !== 'forEach')
    return false
  return isFunction(tokens, open + 1)
}

function isStepCall(tokens: readonly Token[], open: number, { owners }: Names): boolean {
  const token = tokens[open]
  if (token?.type !== 'mark' || token.value !== '(' || tokens[open - 1]?.type !== 'name') return false
  const owner = toOwner(tokens, open - 1)
  return owner !== undefined && owners.has(owner)
}
