import type { MessageRow } from '../../store/schema/message.ts'
import type { RunChange } from './advance-run.ts'
import { toEventPriority } from './lane.ts'

/** The dependencies for recording messages for webhooks. */
export type MessageChange = Pick<RunChange, 'tx' | 'run' | 'nowMs' | 'events'>

/**
 * Fails messages of steps that have not been sent yet.
 *
 * @param jobIds - Row ids of the steps.
 */
export async function failMessages(
  change: MessageChange,
  jobIds: readonly string[],
  reason: Pick<MessageRow, 'errorId' | 'errorText'>,
): Promise<void> {
  if (jobIds.length === 0) return
  const { tx, nowMs } = change
  const failed = await tx
    .updateTable('messages')
    .set({ status: 'error', ...reason, delivery: null, retryAt: null, updatedAt: nowMs })
    .where('jobId', 'in', jobIds)
    .where('status', '=', 'pending')
    .returning(['id', 'status'])
    .execute()
  for (const message of failed) await recordMessageEnd(change, message)
}

/** Fails messages of canceled steps that have not been sent yet. */
export async function cancelMessages(change: MessageChange, jobIds: readonly string[]): Promise<void> {
  const errorText = 'The run was canceled before the provider accepted the message.'
  await failMessages(change, jobIds, { errorId: 'canceled', errorText })
}

/** Records for webhooks that a message was sent or failed; ignores messages that are still pending. */
export async function recordMessageEnd(
  { tx, run, nowMs, events }: MessageChange,
  { id: subjectId, status }: Pick<MessageRow, 'id' | 'status'>,
): Promise<void> {
  if (status === 'pending') return
  const type = status === 'sent' ? 'message.sent' : 'message.failed'
  const { environmentId } = run
  await events.record(tx, { environmentId, type, subjectId, nowMs, priority: toEventPriority(run) })
}
