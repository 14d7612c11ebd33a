import { guardClones } from '../../base/clone-guard.ts'
import { guardRejections } from '../../base/rejection-guard.ts'
import type { RegisteredWorkflow } from '../../bridge/registered-workflow.ts'
import { isDot, toEnd, toParts } from './brackets.ts'
import { toStepNames } from './parameters.ts'
import { scanTokens, type Token } from './scan-tokens.ts'

/** In front of a bracket these call nothing. */
const keywords: ReadonlySet<string> = new Set(
  'if for while switch catch return await typeof of in do else void case throw delete instanceof'.split(' '),
)
/** Functions of the language that begin no work that could fail later. */
export const functions: ReadonlySet<string> = new Set(
  'Number String Boolean BigInt parseInt parseFloat isNaN encodeURIComponent Date Set Map URL Error Intl'.split(' '),
)
/** Objects of the language whose methods do no I/O. */
export const libraries: ReadonlySet<string> = new Set(['Math', 'JSON', 'Number', 'String', 'Date', 'Intl'])
/** Methods of texts, numbers, dates and lists that others hardly have. */
export const methods: ReadonlySet<string> = new Set(
  `toFixed toString toUpperCase toLowerCase toISOString toLocaleString toLocaleDateString toLocaleTimeString getTime
  getFullYear getMonth getDate getDay getHours getMinutes trim split padStart padEnd startsWith endsWith includes indexOf
  slice substring charAt`.split(/\s+/),
)
/** The same, which call what they are given. */
export const callers: ReadonlySet<string> = new Set([
  'map',
  'filter',
  'some',
  'every',
  'reduce',
  'flatMap',
  'sort',
  'toSorted',
])
/** These begin work, or lead to code that does, which the text does not show. */
const suspects: ReadonlySet<string> = new Set(
  'async Promise then finally class import yield eval skip providers constructor this super arguments native'.split(
    ' ',
  ),
)

/** Longer functions are not read for this. */
const maxLength = 20_000

const known = new WeakMap<RegisteredWorkflow, boolean>()

/**
 * Guards a run on sample data, see {@link guardRejections} and {@link guardClones}, unless its function can leave no work that fails behind its
 * back: to look at every promise would cost such a run more than all else.
 *
 * @param workflow - The workflow.
 * @returns Ends the guard.
 */
export function guardLooseWork(workflow: RegisteredWorkflow): () => void {
  const isLoose = known.get(workflow) ?? mayLeaveWork(toText(workflow))
  known.set(workflow, isLoose)
  if (!isLoose) return () => undefined
  const ends = [guardRejections(), guardClones()]
  return () => ends.forEach((end) => void end())
}

/** The function's own text, whatever it shows of itself. */
function toText({ run }: RegisteredWorkflow): string {
  return Function.prototype.toString.call(run)
}

/**
 * Returns whether a function may begin work that goes on while it does something else: whether it does more than call
 * steps, with handlers that are written there, and ask of data. In doubt it may.
 *
 * @param source - As `Function.prototype.toString` returns it, minified or not.
 */
export function mayLeaveWork(source: string): boolean {
  if (source === '' || source.length > maxLength) return true
  const { tokens, isExact } = scanTokens(source)
  if (!isExact) return true
  const { start, steps, contexts, isClosed } = toStepNames(tokens)
  if (!isClosed) return true
  const owners = new Set([...steps, ...[...contexts].map((name) => `${name}.step`)])
  return tokens.some((_, index) => index >= start && isSuspect(tokens, index, owners))
}

function isSuspect(tokens: readonly Token[], index: number, steps: ReadonlySet<string>): boolean {
  const { type, value, isHead } = tokens[index] as Token
  const before = tokens[index - 1]?.value ?? ''
  if (type === 'name') return suspects.has(value) || (before === 'new' && !functions.has(value))
  const isBehindValue = endsValue(tokens, index - 1)
  // A tag calls a function, too; the names of fields may be written as texts.
  if (isHead || type === 'text') return isBehindValue || (type === 'text' && suspects.has(value))
  if (type === 'pattern') return isBehindValue
  if (type !== 'mark') return false
  // What is spread over options may be a handler.
  if (value === '.' && before === '.') return true
  return value === '(' && isBehindValue && !isHarmless(tokens, index, steps)
}

/** Whether a value ends with a token, so that a bracket behind it calls it: `of` of `lib.of(` is no keyword. */
export function endsValue(tokens: readonly Token[], index: number): boolean {
  const token = tokens[index]
  if (!token) return false
  const { type, value } = token
  if (type === 'name') return !keywords.has(value) || isDot(tokens, index - 1)
  return type !== 'mark' || [')', ']', '}', '?.', '``'].includes(value)
}

/** Whether a call, whose bracket is given, begins nothing that the text does not show. */
function isHarmless(tokens: readonly Token[], open: number, steps: ReadonlySet<string>): boolean {
  const callee = tokens[open - 1]
  if (callee?.type !== 'name') return false
  const owner = toOwner(tokens, open - 1)
  if (owner === undefined) return functions.has(callee.value)
  if (steps.has(owner)) return showsHandler(tokens, open)
  if (libraries.has(owner)) return true
  return methods.has(callee.value) || (callers.has(callee.value) && isArrow(tokens, open + 1))
}

/** What a method is called on, as it is written: `step`, `context.step`; `''` where that is no name. */
export function toOwner(tokens: readonly Token[], callee: number): string | undefined {
  const names: string[] = []
  let at = callee
  for (; isDot(tokens, at - 1); at -= 2) {
    const owner = tokens[at - 2]
    if (owner?.type !== 'name') return ''
    names.unshift(owner.value)
  }
  return at === callee ? undefined : names.join('.')
}

/** Whether the handler of a step call is written there, and so is what stands behind it. */
function showsHandler(tokens: readonly Token[], open: number): boolean {
  const starts = toParts(tokens, open)
  return starts.slice(1).every((at, index) => (index === 0 ? isArrow(tokens, at) : tokens[at]?.value === '{'))
}

/** Whether an arrow function begins at a token. */
export function isArrow(tokens: readonly Token[], at: number): boolean {
  const token = tokens[at]
  if (token?.type === 'name') return tokens[at + 1]?.value === '=>'
  return token?.value === '(' && tokens[toEnd(tokens, at) + 1]?.value === '=>'
}
