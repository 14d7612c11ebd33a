import { isClosed, isOver } from '../decision/job-view.ts'
import { loadJobViews } from '../run/advance-run.ts'
import type { LockedRunChange } from '../run/close-run.ts'
import type { JobChange, RemainingEnd } from '../run/job-change.ts'
import { promoteDigest } from './promote-digest.ts'

/**
 * Ends the open digests of a run whose remaining steps were ended early, because no step would use their events. The
 * events of other runs are handed over to one of these runs.
 *
 * @param end - How they end.
 */
export async function endDigests(change: LockedRunChange, { status, name }: RemainingEnd): Promise<void> {
  const { tx, run, nowMs, history } = change
  const open = await tx
    .selectFrom('jobs')
    .selectAll()
    .where('runId', '=', run.id)
    .where('type', '=', 'digest')
    .where('status', '=', 'delayed')
    .execute()
  for (const digest of open) {
    await promoteDigest(change, digest)
    await tx
      .updateTable('jobs')
      .set({ status, endedAt: nowMs, completedOrder: run.sequence, updatedAt: nowMs })
      .where('id', '=', digest.id)
      .execute()
    history.note({ runId: run.id, jobId: digest.id }, name)
  }
}

/** Returns whether the steps after a digest have already ended, because of a parallel step. */
export async function hasNoNextSteps({ tx, run, job }: JobChange): Promise<boolean> {
  if (run.next !== null) return isClosed(run)
  const jobs = await loadJobViews(tx, run.id)
  return jobs.some(({ wave }) => wave > job.wave) && jobs.every((one) => one.wave === job.wave || isOver(one))
}
