import { toLaneName } from '../queue/lane-name.ts'
import type { Queue } from '../queue/queue.ts'
import type { InboundMailRow } from '../store/schema/domain.ts'
import type { Session } from '../store/store.ts'

/** The kind of the queue item that sends an email to a webhook. */
export const inboundMailKind = 'inbound-mail'

/**
 * Queues an email for its webhook. A slow webhook delays only its own emails.
 *
 * @param tx - The transaction that stores the email.
 * @param queue - The queue.
 * @param mail - The email.
 */
export async function queueMail(
  tx: Session,
  queue: Pick<Queue, 'add'>,
  { id, environmentId, target }: Pick<InboundMailRow, 'id' | 'environmentId' | 'target'>,
): Promise<void> {
  await queue.add(tx, [{ kind: inboundMailKind, id, lane: toLaneName(environmentId, `${inboundMailKind} ${target}`) }])
}
