import type { JsonObject, StepState, StepType } from '@trestle/protocol'
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

const nothing = (): JsonObject => ({})

const empty: Readonly<Record<StepType, () => JsonObject>> = {
  email: nothing,
  sms: nothing,
  push: nothing,
  chat: nothing,
  tool: nothing,
  custom: nothing,
  http_request: nothing,
  in_app: () => ({ seen: false, read: false, lastSeenDate: null, lastReadDate: null }),
  digest: () => ({ events: [], eventCount: 0 }),
  delay: () => ({ duration: 0 }),
  throttle: () => ({ throttled: false }),
}

/**
 * Returns what a step leaves behind that gave nothing.
 *
 * @param type - The kind of step.
 */
export function toEmptyResult(type: StepType): JsonObject {
  return empty[type]()
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
