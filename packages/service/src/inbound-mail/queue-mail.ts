import type { Queue } from '../queue/queue.ts'
import type { InboundMailRow } from '../store/schema/domain.ts'
import type { Session } from '../store/store.ts'

/** The kind of queue item of a mail for a webhook. */
export const inboundMailKind = 'inbound-mail'

/**
 * Queues a mail for its webhook. A slow webhook only delays its own mail.
 *
 * @param tx - The transaction that stores the mail.
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
