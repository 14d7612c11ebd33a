import { isOver, type JobView } from './job-view.ts'

/**
 * Returns the jobs that can start: pending jobs of the first unfinished wave, except those that wait for another
 * unfinished job.
 *
 * @param jobs - All jobs of a run.
 * @returns The jobs, in the order of the steps.
 */
export function toNextJobs(jobs: readonly JobView[]): readonly JobView[] {
  const open = jobs.filter((job) => !isOver(job))
  const wave = Math.min(...open.map((job) => job.wave))
  const openIds = new Set(open.map(({ id }) => id))
  return open
    .filter((job) => job.wave === wave && job.status === 'pending')
    .filter(({ waitsFor }) => waitsFor === null || !openIds.has(waitsFor))
    .sort((left, right) => left.position - right.position)
}
