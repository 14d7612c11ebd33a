import type { RegisteredWorkflow } from '../../bridge/registered-workflow.ts'
import type { StepCall } from '../../workflow/steps/step-call.ts'
import { sourceOf } from '../dictionary/source-of.ts'
import type { ExploringRun } from '../exploring/explore.ts'
import type { Certainty } from '../exploring/planned-run.ts'
import { hasFixedSchemas } from './fixed-schemas.ts'
import { findUnreached, isWrittenTwice, tellsAllSteps } from './unreached-steps.ts'

/** What may lead around a step, or out of the function in front of it. */
const branch = /[?&|]|\b(?:if|for|while|do|switch|case|return|throw|try|catch|break|continue|yield)\b/

/**
 * Returns what the text of a function and its runs so far leave no doubt about.
 *
 * @param workflow - The workflow.
 * @param runs - Its runs on sample data.
 */
export function toCertainty(workflow: RegisteredWorkflow, runs: readonly ExploringRun[]): Certainty {
  const isWhole =
    findUnreached(workflow, runs).length === 0 && tellsAllSteps(workflow, runs) && !isWrittenTwice(workflow)
  // Schemas that may be made of data are a fault, and a rare value may be what shows it.
  if (!isWhole || (makesSchemas(runs) && !hasFixedSchemas(sourceOf(workflow)))) return 'nothing'
  return areSettled(sourceOf(workflow), runs) ? 'conditions' : 'steps'
}

/** Whether a step has new schemas in each run. */
function makesSchemas(runs: readonly ExploringRun[]): boolean {
  const known = new Map<string, StepCall>()
  return runs.some(({ calls }) =>
    calls.some(({ id, call }) => {
      const first = known.get(id) ?? call
      known.set(id, first)
      const { controlSchema, outputSchema } = call.options
      return first.options.controlSchema !== controlSchema || first.options.outputSchema !== outputSchema
    }),
  )
}

/**
 * Returns whether it is certain of each step that runs have called whether it is conditional: a run has left it out, or
 * nothing was asked and nothing can have branched off in front of it.
 *
 * @param source - The text of the function.
 * @param runs - Its runs on sample data.
 */
export function areSettled(source: string, runs: readonly ExploringRun[]): boolean {
  const normal = runs.filter((run) => run.end === 'normal')
  const certain = new Set<string>()
  const seenIn = new Map<string, number>()
  for (const { calls } of normal)
    for (const { id, lastReads } of calls) {
      seenIn.set(id, (seenIn.get(id) ?? 0) + 1)
      if (lastReads.length === 0) certain.add(id)
    }
  return [...seenIn].every(
    ([id, times]) => times < normal.length || certain.has(id) || !branch.test(textBefore(source, id)),
  )
}

/** All of it where the step is not found. */
function textBefore(source: string, id: string): string {
  const at = ["'", '"', '`'].map((quote) => source.indexOf(`(${quote}${id}${quote}`)).find((place) => place >= 0)
  return source.slice(0, at)
}
