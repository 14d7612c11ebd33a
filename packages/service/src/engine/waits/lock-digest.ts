import type { Session } from '../../store/store.ts'

/**
 * Locks a bucket of digests for the rest of the transaction: until its end nobody opens, joins, leaves, hands over or
 * closes a digest of it. Does nothing for a bucket that is not there.
 *
 * @param tx - The session of the transaction.
 * @param bucket - The bucket.
 * @param nowMs - The time, milliseconds since 1970.
 */
export async function lockDigest(tx: Session, bucket: string, nowMs: number): Promise<void> {
  await tx.updateTable('digests').set({ updatedAt: nowMs }).where('bucket', '=', bucket).execute()
}

/**
 * Locks the buckets of the digests that a run has joined.
 *
 * @param tx - The session of the transaction.
 * @param runId - Row id of the run.
 * @param nowMs - The time, milliseconds since 1970.
 */
export async function lockJoinedDigests(tx: Session, runId: string, nowMs: number): Promise<void> {
  const joined = await tx
    .selectFrom('jobs')
    .select('bucket')
    .where('runId', '=', runId)
    .where('status', '=', 'merged')
    .where('mergedIntoId', 'is not', null)
    .orderBy('bucket')
    .execute()
  for (const { bucket } of joined) await lockDigest(tx, bucket ?? '', nowMs)
}
