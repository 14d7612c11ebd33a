import type { RegisteredWorkflow } from '../bridge/registered-workflow.ts'
import { dictionaryOf } from './dictionary/dictionary-of.ts'
import type { ExploringRun } from './recording/explore.ts'

/**
 * Returns the steps that are written in a function as those are that runs have called, and that none has called. Where a
 * function reads nothing its source text is not looked at.
 *
 * @param workflow - The workflow.
 * @param runs - Its runs on sample data.
 */
export function findUnreached(workflow: RegisteredWorkflow, runs: readonly ExploringRun[]): readonly string[] {
  if (!runs.some(({ reads }) => reads.size > 0)) return []
  const { stepCalls } = dictionaryOf(workflow)
  const reached = new Set(runs.flatMap(({ calls }) => calls.map(({ id }) => id)))
  const known = [...reached].flatMap((id) => stepCalls.get(id) ?? [])
  // What every known step is called on is the object of steps.
  const [first = new Set<string>(), ...others] = known
  const common = [...first].filter((object) => others.every((other) => other.has(object)))
  const objects = common.includes('step') ? ['step'] : common
  return [...stepCalls].flatMap(([id, on]) =>
    !reached.has(id) && objects.some((object) => on.has(object)) ? [id] : [],
  )
}
