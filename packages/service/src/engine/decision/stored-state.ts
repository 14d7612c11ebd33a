import type { JsonObject, StepState } from '@trestle/protocol'
import { toEmptyResult } from '@trestle/run-rules'
import type { JobRow } from '../../store/schema/run.ts'
import { isOver, type JobView } from './job-view.ts'

/** The columns of a job that later steps can see. */
export interface StoredJob extends Pick<JobView, 'stepId' | 'type' | 'status'>, Pick<JobRow, 'stage'> {
  readonly result: JsonObject | null
  readonly error: unknown
  /** The order in which it ended among the jobs of its run, starting at 1; `null` while it is unfinished. */
  readonly completedOrder: number | null
}

/**
 * Returns the results of a run's steps in the format for bridges: finished steps that were reached, most recently
 * finished first.
 *
 * @param jobs - All jobs of the run.
 * @source bridge-protocol.md#running-a-step
 */
export function toStoredState(jobs: readonly StoredJob[]): readonly StepState[] {
  return jobs
    .filter((job) => isOver(job) && job.stage !== 'unreached')
    .sort((left, right) => (right.completedOrder ?? 0) - (left.completedOrder ?? 0))
    .map(({ stepId, type, status, result, error }) => ({
      stepId,
      outputs: result ?? toEmptyResult(type),
      state: { status, ...(error !== null && error !== undefined && { error }) },
    }))
}
