import type { JobRow } from '../../store/schema/run.ts'
import type { RunChange } from '../run/advance-run.ts'
import { reopenRun } from '../run/close-run.ts'
import { lockRun } from '../run/lock-run.ts'
import { closeBucket } from './close-bucket.ts'
import { lockDigest } from './lock-digest.ts'

/**
 * Hands an open digest over before its job is canceled: the oldest event it has taken in becomes the one that waits,
 * until the same time. Without such an event the digest is closed.
 *
 * @param change - The run of the canceled digest, and what it takes.
 * @param digest - The job that is going to be canceled.
 * @source service-api.md#digest
 */
export async function promoteDigest(change: RunChange, digest: JobRow): Promise<void> {
  const { tx, nowMs, history, queue } = change
  // Before it looks for the event: none comes or is canceled from here on.
  await lockDigest(tx, digest.bucket ?? '', nowMs)
  const successor = await tx
    .selectFrom('jobs')
    .selectAll()
    .where('mergedIntoId', '=', digest.id)
    .where('status', '=', 'merged')
    .orderBy('calledAt')
    .orderBy('id')
    .executeTakeFirst()
  if (!successor) return closeBucket(tx, digest, nowMs)
  await tx
    .updateTable('digests')
    .set({ jobId: successor.id, dueAt: digest.dueAt, updatedAt: nowMs })
    .where('bucket', '=', digest.bucket ?? '')
    .where('jobId', '=', digest.id)
    .execute()
  const run = await lockRun(tx, successor.runId, nowMs)
  const waiting = { status: 'delayed', mergedIntoId: null, dueAt: digest.dueAt } as const
  const openColumns = { result: null, endedAt: null, completedOrder: null, updatedAt: nowMs }
  await tx
    .updateTable('jobs')
    .set({ ...waiting, ...openColumns })
    .where('id', '=', successor.id)
    .execute()
  await tx
    .updateTable('jobs')
    .set({ status: 'pending', ...openColumns })
    .where('runId', '=', successor.runId)
    .where('status', '=', 'merged')
    // Another digest beside it has its event still.
    .where('mergedIntoId', 'is', null)
    .execute()
  await tx.updateTable('jobs').set({ mergedIntoId: successor.id }).where('mergedIntoId', '=', digest.id).execute()
  await tx
    .updateTable('runs')
    .set({ digestedRunId: successor.runId, updatedAt: nowMs })
    .where('digestedRunId', '=', digest.runId)
    .where('id', 'in', tx.selectFrom('jobs').select('runId').where('mergedIntoId', '=', successor.id))
    .execute()
  await tx
    .updateTable('runs')
    .set({ status: 'running', finishedAt: null, digestedRunId: null, updatedAt: nowMs })
    .where('id', '=', successor.runId)
    .execute()
  history.note({ runId: successor.runId, jobId: successor.id }, 'digestPromoted', { inPlaceOf: digest.id })
  if (run) await reopenRun({ tx, run, nowMs, history, queue })
}
