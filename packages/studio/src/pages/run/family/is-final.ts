import type { WholeRun } from '../../../api/generated/resources.ts'

/** How long the service may take to create the runs of a step; a topic without members has none. */
const creationMs = 60_000

/**
 * Returns whether a run and the runs that are linked with it no longer change. The service creates the runs of a step
 * after the step has ended.
 */
export function isFinal({ _id, finishedAt, ancestors, descendants, steps }: WholeRun, nowMs: number): boolean {
  const isOld = finishedAt !== null && nowMs - Date.parse(finishedAt) > creationMs
  const hasRuns = (stepId: string): boolean =>
    descendants.some((one) => one.parentRunId === _id && one.stepId === stepId)
  return (
    finishedAt !== null &&
    [...ancestors, ...descendants].every((one) => one.finishedAt !== null) &&
    (isOld ||
      steps.every(({ type, status, stepId }) => type !== 'trigger' || status !== 'completed' || hasRuns(stepId)))
  )
}
