import type { JsonObject, StepState } from '@trestle/protocol'
import { toEmptyResult } from '@trestle/run-rules'
import type { JobRow } from '../../store/schema/run.ts'
import { isOver, type JobView } from './job-view.ts'

/** A job as later steps see it. */
export interface StoredJob extends Pick<JobView, 'stepId' | 'type' | 'status'>, Pick<JobRow, 'stage'> {
  /** The result it left behind. */
  readonly result: JsonObject | null
  /** Why it failed. */
  readonly error: unknown
  /** When it ended among the jobs of its run, counted from 1; `null` while it has not. */
  readonly completedOrder: number | null
}

/**
 * Returns the results of a run's steps as the bridge is told them: those that are over and were reached, in the order of their
 * ends, newest first.
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
