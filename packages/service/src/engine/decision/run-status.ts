import type { JobStatus } from '../../store/schema/run.ts'
import { isClosed, isOver, type JobView, type RunProgress, type RunStatus } from './job-view.ts'

const endStatuses: readonly (RunStatus & JobStatus)[] = ['merged', 'canceled', 'failed']

/**
 * Returns the status of a run.
 *
 * @param jobs - All jobs of the run.
 * @returns `running` while a job is unfinished or the bridge may still add one. Otherwise the first of `merged`,
 *   `canceled`
 * and `failed` with which a job or the run ended, else `completed`; handled failures do not count. A listed run without jobs is complete.
 */
export function toRunStatus(run: RunProgress, jobs: readonly Pick<JobView, 'status' | 'stage'>[]): RunStatus {
  const isOpen = run.next !== null && (!isClosed(run) || run.nextClaim !== null)
  if (isOpen || !jobs.every(isOver)) return 'running'
  return (
    endStatuses.find(
      (end) => run.next === end || jobs.some(({ status, stage }) => status === end && stage !== 'handled'),
    ) ?? 'completed'
  )
}
