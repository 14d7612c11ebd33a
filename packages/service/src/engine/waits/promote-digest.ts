import type { JobRow } from '../../store/schema/run.ts'
import type { RunChange } from '../run/advance-run.ts'
import { reopenRun } from '../run/close-run.ts'
import { lockRun } from '../run/lock-run.ts'
import { closeBucket } from './close-bucket.ts'
import { lockDigest } from './lock-digest.ts'

/**
 * Promotes another event of an open digest before the digest's job ends early: the oldest merged event waits in its
 * place, until the same time. If there is no other event, the digest is closed.
 *
 * @param digest - The job that will end.
 * @source service-api.md#digest
 */
export async function promoteDigest(change: RunChange, digest: JobRow): Promise<void> {
  const { tx, nowMs, history, queue, events } = change
  // Locked before the lookup, so that no event is added or canceled afterwards.
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
    // A parallel digest still has its event.
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
  if (run) await reopenRun({ tx, run, nowMs, history, queue, events })
}
