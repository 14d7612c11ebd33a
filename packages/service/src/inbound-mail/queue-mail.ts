import type { Queue } from '../queue/queue.ts'
import type { InboundMailRow } from '../store/schema/domain.ts'
import type { Session } from '../store/store.ts'

/** The kind of work that a mail for a webhook is in the queue. */
export const inboundMailKind = 'inbound-mail'

/**
 * Queues a mail for its webhook. A webhook that is slow holds up its own mail only.
 *
 * @param tx - The session of the transaction that stores the mail.
 * @param queue - The queue.
 * @param mail - The mail.
 */
export async function queueMail(
  tx: Session,
  queue: Pick<Queue, 'add'>,
  { id, environmentId, target }: Pick<InboundMailRow, 'id' | 'environmentId' | 'target'>,
): Promise<void> {
  await queue.add(tx, [{ kind: inboundMailKind, id, lane: `${inboundMailKind} ${environmentId} ${target}` }])
}
