import { toLookBackEnd } from '@trestle/run-rules'
import type { JobRow } from '../../store/schema/run.ts'
import type { Session } from '../../store/store.ts'
import { parseObject } from '../base/parse-json.ts'

/**
 * Closes the bucket of a digest: whoever still wants to join it waits for this transaction, and opens the next one. What
 * a digest that looks back must know of it is kept.
 *
 * @param tx - The session of the transaction.
 * @param job - The digest; nothing is done when it is not the open one of its bucket.
 * @param nowMs - The time, milliseconds since 1970.
 */
export async function closeBucket(tx: Session, job: JobRow, nowMs: number): Promise<void> {
  const closed = await tx
    .updateTable('digests')
    .set({ jobId: null, dueAt: null, updatedAt: nowMs })
    .where('bucket', '=', job.bucket ?? '')
    .where('jobId', '=', job.id)
    .returning(['bucket', 'lastEventAt'])
    .executeTakeFirst()
  const dueAt = toLookBackEnd(parseObject(job.outputs), closed?.lastEventAt ?? nowMs)
  if (!closed || dueAt === undefined) return
  await tx.updateTable('digests').set({ dueAt }).where('bucket', '=', closed.bucket).execute()
}
