import type { JobStatus } from '../../store/schema/run.ts'
import { isOver, type JobView, type RunStatus } from './job-view.ts'

const ends: readonly (RunStatus & JobStatus)[] = ['merged', 'canceled', 'failed']

/**
 * Returns how a run stands.
 *
 * @param jobs - All its jobs.
 * @returns `running` while one is not over; else `merged`, `canceled` or `failed` when a job ended so, in this order;
 *   else `completed`. A run without jobs is complete.
 */
export function toRunStatus(jobs: readonly Pick<JobView, 'status'>[]): RunStatus {
  if (!jobs.every(isOver)) return 'running'
  return ends.find((end) => jobs.some(({ status }) => status === end)) ?? 'completed'
}
