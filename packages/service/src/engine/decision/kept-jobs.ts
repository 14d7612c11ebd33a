import type { JobRow, RunRow } from '../../store/schema/run.ts'

type Run = Pick<RunRow, 'status'>
type Job = Pick<JobRow, 'stepId' | 'status' | 'wave' | 'completedOrder' | 'calledAt' | 'stage' | 'step'>

/**
 * Returns the jobs whose results a new run keeps if it starts from a step of an ended run. These are the steps that
 * started before it, or together with it, and have a result: completed steps, and steps that were skipped or failed
 * before it ended. Other steps run again, because they have not sent anything.
 *
 * @param run - The ended run.
 * @param jobs - All its jobs, in the order of the steps.
 * @param stepId - The step to start from; must be a step of the run.
 * @returns The jobs, or the reason why the run cannot start from the step.
 * @source service-api.md#run-again-from-a-step
 */
export function toKeptJobs<TJob extends Job>(
  run: Run,
  jobs: readonly TJob[],
  stepId: string,
): readonly TJob[] | string {
  if (run.status === 'running') return 'The run has not ended. Cancel it, or wait until it ends.'
  const first = jobs.find((job) => job.stepId === stepId)
  if (!first || !isStarted(first)) {
    const started = jobs.filter(isStarted).map((job) => JSON.stringify(job.stepId))
    const choice =
      started.length === 0 ? 'Run the whole workflow again.' : `Choose a started step: ${started.join(', ')}.`
    return `The run never started the step ${JSON.stringify(stepId)}. ${choice}`
  }
  return jobs.filter((job) => job !== first && job.wave <= first.wave && hasResult(job, first))
}

/** A copied job was started in the run that it was copied from. */
function isStarted({ calledAt, step }: Job): boolean {
  return calledAt !== null || 'reusedFrom' in JSON.parse(step)
}

/** Steps that are skipped after the first one ended were left behind when the run ended, such as unawaited delays. */
function hasResult({ status, stage, completedOrder }: Job, first: Job): boolean {
  if (stage === 'unreached' || completedOrder === null) return false
  if (status === 'completed') return true
  const endedBefore = completedOrder < (first.completedOrder ?? Number.POSITIVE_INFINITY)
  return endedBefore && (status === 'skipped' || status === 'failed')
}
