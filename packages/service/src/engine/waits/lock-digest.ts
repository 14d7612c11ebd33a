import type { Session } from '../../store/store.ts'

/**
 * Locks a bucket for the rest of the transaction, so that no other transaction changes its digest. Does nothing if the
 * bucket does not exist.
 */
export async function lockDigest(tx: Session, bucket: string, nowMs: number): Promise<void> {
  await tx.updateTable('digests').set({ updatedAt: nowMs }).where('bucket', '=', bucket).execute()
}

/** Locks the buckets of the digests that a run has joined. */
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
