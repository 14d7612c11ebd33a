import type { JobStatus } from '../../store/schema/run.ts'
import { isClosed, isOver, type JobView, type RunProgress, type RunStatus } from './job-view.ts'

const endStatuses: readonly (RunStatus & JobStatus)[] = ['merged', 'canceled', 'failed']

/**
 * Returns the status of a run.
 *
 * @param run - The run.
 * @param jobs - All its jobs.
 * @returns `running` while a job is not over, or its bridge may still add one; else `merged`, `canceled` or `failed` if a job
 *   or the run ended so, in this order; else `completed`. A listed run without jobs is complete.
 */
export function toRunStatus(run: RunProgress, jobs: readonly Pick<JobView, 'status'>[]): RunStatus {
  const isOpen = run.next !== null && (!isClosed(run) || run.nextClaim !== null)
  if (isOpen || !jobs.every(isOver)) return 'running'
  return endStatuses.find((end) => run.next === end || jobs.some(({ status }) => status === end)) ?? 'completed'
}
