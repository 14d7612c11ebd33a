import type { Session } from '../../store/store.ts'

/**
 * Fails messages of canceled steps that have not been sent yet.
 *
 * @param jobIds - Row ids of the steps.
 */
export async function cancelMessages(tx: Session, jobIds: readonly string[], nowMs: number): Promise<void> {
  if (jobIds.length === 0) return
  const why = 'The run was canceled before the provider accepted the message.'
  await tx
    .updateTable('messages')
    .set({ status: 'error', errorId: 'canceled', errorText: why, delivery: null, retryAt: null, updatedAt: nowMs })
    .where('jobId', 'in', jobIds)
    .where('status', '=', 'pending')
    .execute()
}
