import type { RegisteredWorkflow } from '../../bridge/registered-workflow.ts'
import { isDot, toEnd } from '../../discovery/text/brackets.ts'
import { toStepNames } from '../../discovery/text/parameters.ts'
import { scanTokens } from '../../discovery/text/scan-tokens.ts'

/** The maximum length of functions that are analyzed. */
const maxLength = 20_000
/** Names that start work in parallel with a step. */
const starters = new Set(['async', 'Promise'])
const reactions = new Set(['then', 'catch', 'finally'])
/** Names through which code can access steps without naming them. */
const hidden = new Set(['eval', 'arguments', 'native'])
const resultByWorkflow = new WeakMap<RegisteredWorkflow, boolean>()

/**
 * Returns whether the source of a workflow function shows that it awaits every step at its call site. In that case, no
 * two steps are open at the same time, and no other work runs in parallel. Returns false if in doubt.
 *
 * @param workflow - The workflow with the function.
 */
export function awaitsEachStep(workflow: RegisteredWorkflow): boolean {
  const kept = resultByWorkflow.get(workflow)
  if (kept !== undefined) return kept
  const isProven = showsAwaitedSteps(Function.prototype.toString.call(workflow.run))
  resultByWorkflow.set(workflow, isProven)
  return isProven
}

/**
 * Returns whether a source shows that every step is awaited: steps are only used in awaited calls, directly in the
 * function.
 *
 * @param source - The source, as returned by `Function.prototype.toString`, minified or not.
 */
export function showsAwaitedSteps(source: string): boolean {
  if (source === '' || source.length > maxLength) return false
  const { tokens, isExact } = scanTokens(source)
  const { steps, contexts, declared, isClosed, start } = toStepNames(tokens)
  if (!isExact || !isClosed) return false
  // Handlers do not run in a replay, and can await anything.
  let handlersEnd = 0
  for (let at = start; at < tokens.length; at++) {
    const value = tokens[at]?.value ?? ''
    if (tokens[at]?.type !== 'name' || declared.has(at)) continue
    const isField = isDot(tokens, at - 1)
    if (at > handlersEnd && (isField ? reactions : starters).has(value)) return false
    if (isField) continue
    if (hidden.has(value)) return false
    const isContext = contexts.has(value) && isDot(tokens, at + 1) && tokens[at + 2]?.type === 'name'
    if (isContext && tokens[at + 2]?.value !== 'step') continue
    if (!contexts.has(value) && !steps.has(value)) continue
    const open = (isContext ? at + 2 : at) + 3
    const isCall = (isContext || steps.has(value)) && isDot(tokens, open - 2) && tokens[open]?.value === '('
    if (!isCall || tokens[at - 1]?.value !== 'await' || at < handlersEnd) return false
    handlersEnd = toEnd(tokens, open)
  }
  return true
}
