import type { StepType } from '@trestle/protocol'
import type { JobStatus, RunRow } from '../../store/schema/run.ts'

/** The states of a run. */
export type RunStatus = RunRow['status']

/** The part of a run that says whether its bridge leads it. */
export type RunProgress = Pick<RunRow, 'next' | 'nextClaim'>

/** A job as decisions about the order of a run look at it. */
export interface JobView {
  /** Its id. */
  readonly id: string
  /** The step's id. */
  readonly stepId: string
  /** The kind of step. */
  readonly type: StepType
  /** Its place among the run's steps, counted from 0. */
  readonly position: number
  /** Jobs of one wave run side by side; waves follow one another from 0 on. */
  readonly wave: number
  /** How far it is. */
  readonly status: JobStatus
  /** The job that has to end before it, beside those of earlier waves. */
  readonly waitsFor: string | null
}

/**
 * Whether a run was canceled: what goes on in it is not begun again.
 *
 * @param run - The run.
 * @param jobs - Its jobs.
 */
export function isRunCanceled({ next }: Pick<RunRow, 'next'>, jobs: readonly Pick<JobView, 'status'>[]): boolean {
  return next === 'canceled' || jobs.some(({ status }) => status === 'canceled')
}

/**
 * Returns whether the bridge of a run is not asked any more what comes next.
 *
 * @param run - The run.
 */
export function isClosed({ next }: Pick<RunRow, 'next'>): boolean {
  return next === 'done' || next === 'failed' || next === 'canceled'
}

const endStatuses: ReadonlySet<JobStatus> = new Set(['completed', 'failed', 'canceled', 'merged', 'skipped'])

/**
 * Whether a job is over.
 *
 * @param job - Its status.
 */
export function isOver({ status }: Pick<JobView, 'status'>): boolean {
  return endStatuses.has(status)
}
