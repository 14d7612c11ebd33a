import type { StepType } from '@trestle/protocol'
import type { JobRow, JobStatus, RunRow } from '../../store/schema/run.ts'

/** The statuses of a run. */
export type RunStatus = RunRow['status']

/** The columns that show the progress of a run whose bridge decides the next step. */
export type RunProgress = Pick<RunRow, 'next' | 'nextClaim'>

/** The columns of a job that determine the order of a run. */
export interface JobView {
  readonly id: string
  readonly stepId: string
  readonly type: StepType
  /** Its index among the run's steps. */
  readonly position: number
  /** Jobs with the same wave run in parallel; each wave starts after the previous one has ended. */
  readonly wave: number
  readonly status: JobStatus
  /** The stage; among other things, whether the workflow function received its failure. */
  readonly stage: JobRow['stage']
  /** A job that must end first, in addition to those of earlier waves. */
  readonly waitsFor: string | null
}

/** Returns whether a run was canceled. Work of a canceled run is not restarted. */
export function isRunCanceled({ next }: Pick<RunRow, 'next'>, jobs: readonly Pick<JobView, 'status'>[]): boolean {
  return next === 'canceled' || jobs.some(({ status }) => status === 'canceled')
}

/** Returns whether a run no longer asks its bridge for the next step. */
export function isClosed({ next }: Pick<RunRow, 'next'>): boolean {
  return next === 'done' || next === 'failed' || next === 'canceled'
}

const endStatuses: ReadonlySet<JobStatus> = new Set(['completed', 'failed', 'canceled', 'merged', 'skipped'])

/** Returns whether a job has ended. */
export function isOver({ status }: Pick<JobView, 'status'>): boolean {
  return endStatuses.has(status)
}
