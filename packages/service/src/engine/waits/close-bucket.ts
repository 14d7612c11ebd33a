import { toLookBackEnd } from '@trestle/run-rules'
import type { JobRow } from '../../store/schema/run.ts'
import type { Session } from '../../store/store.ts'
import { parseObject } from '../base/parse-json.ts'

/**
 * Closes the bucket of a digest. Later events wait for this transaction and open the next digest. Keeps the time that
 * digests with a look-back window need.
 *
 * @param job - The digest. Does nothing if it is not the open digest of its bucket.
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
