import type { RegisteredWorkflow } from '../../bridge/registered-workflow.ts'
import type { StepCall } from '../../workflow/steps/step-call.ts'
import { sourceOf } from '../dictionary/source-of.ts'
import { scanTokens, type Token } from '../dictionary/tokens/scan-tokens.ts'
import type { ExploringRun } from '../exploring/explore.ts'
import type { Certainty } from '../exploring/planned-run.ts'
import { hasFixedSchemas } from './fixed-schemas.ts'
import { findUnreached, isWrittenTwice, tellsAllSteps } from './unreached-steps.ts'

/** What may lead around a step, or out of the function in front of it. */
const branches: ReadonlySet<string> = new Set([
  ...['?', '?.', '&&', '||', '??', 'if', 'for', 'while', 'do', 'switch', 'case'],
  ...['return', 'throw', 'try', 'catch', 'break', 'continue', 'yield'],
])

/**
 * Returns what tells what the text of a function and its runs so far leave no doubt about.
 *
 * @param workflow - The workflow.
 */
export function createCertainty(workflow: RegisteredWorkflow): (runs: readonly ExploringRun[]) => Certainty {
  const isAmbiguous = isWrittenTwice(workflow)
  const tokens = scanTokens(sourceOf(workflow))
  const isFixed = hasFixedSchemas(tokens)
  return (runs) => {
    if (isAmbiguous || findUnreached(workflow, runs).length > 0 || !tellsAllSteps(workflow, runs)) return 'nothing'
    // Schemas that may be made of data are a fault, and a rare value may be what shows it.
    if (!isFixed && mayMakeSchemas(runs)) return 'nothing'
    return areSettled(tokens, runs) ? 'conditions' : 'steps'
  }
}

/** Whether a step may have new schemas in each run: its calls have not shown the same ones twice. */
function mayMakeSchemas(runs: readonly ExploringRun[]): boolean {
  const firsts = new Map<string, StepCall['options']>()
  const known = new Set<string>()
  for (const { id, call } of runs.flatMap(({ calls }) => calls)) {
    const { controlSchema, outputSchema } = call.options
    const first = firsts.get(id)
    if (first && (first.controlSchema !== controlSchema || first.outputSchema !== outputSchema)) return true
    if (first || (!controlSchema && !outputSchema)) known.add(id)
    firsts.set(id, call.options)
  }
  return known.size < firsts.size
}

/**
 * Returns whether it is certain of each step that runs have called whether it is conditional: a run has left it out, nothing
 * was asked in front of it, or it is awaited in the function itself with nothing in front of it that can lead elsewhere.
 *
 * @param tokens - The text of the function.
 * @param runs - Its runs on sample data.
 */
export function areSettled(tokens: readonly Token[], runs: readonly ExploringRun[]): boolean {
  const normal = runs.filter((run) => run.end === 'normal')
  const certain = new Set<string>()
  const seenIn = new Map<string, number>()
  for (const { calls } of normal)
    for (const { id, lastReads } of calls) {
      seenIn.set(id, (seenIn.get(id) ?? 0) + 1)
      if (lastReads.length === 0) certain.add(id)
    }
  return [...seenIn].every(([id, times]) => times < normal.length || certain.has(id) || isUnconditional(tokens, id))
}

/** `await step.email('id',` in the body of the function, and not in a function or a list within it. */
function isUnconditional(tokens: readonly Token[], id: string): boolean {
  const at = tokens.findIndex(
    ({ type, value }, index) => type === 'text' && value === id && tokens[index - 1]?.value === '(',
  )
  const before = tokens.slice(0, Math.max(0, at - 4))
  if (before.at(-1)?.value !== 'await' || before.at(-2)?.value === '=>') return false
  const marks = before.filter(({ type }) => type === 'mark').map(({ value }) => value)
  const depth = marks.filter((mark) => /[([{]/.test(mark)).length - marks.filter((mark) => /[)\]}]/.test(mark)).length
  return depth === 1 && !before.some(({ type, value }) => (type === 'mark' || type === 'name') && branches.has(value))
}
