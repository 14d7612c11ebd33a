import type { StepType } from '@trestle/protocol'
import type { JobStatus, RunRow } from '../../store/schema/run.ts'

/** The states of a run. */
export type RunStatus = RunRow['status']

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
 * @param jobs - Its jobs.
 */
export function isRunCanceled(jobs: readonly Pick<JobView, 'status'>[]): boolean {
  return jobs.some(({ status }) => status === 'canceled')
}

const ended: ReadonlySet<JobStatus> = new Set(['completed', 'failed', 'canceled', 'merged', 'skipped'])

/**
 * Whether a job is over.
 *
 * @param job - Its status.
 */
export function isOver({ status }: Pick<JobView, 'status'>): boolean {
  return ended.has(status)
}
