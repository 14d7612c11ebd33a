import { type Outbound, toSignatureHeaders } from '@trestle/bridge-client'
import { type JsonObject, sign } from '@trestle/protocol'
import type { BridgeTarget } from '../bridge/bridge-target.ts'
import type { ConversationPorts } from '../conversations/base/conversation-ports.ts'
import { postWebhook, type WebhookOutcome } from '../outbound/post-webhook.ts'
import type { TakenItem } from '../queue/queue.ts'
import type { InboundMailRow } from '../store/schema/domain.ts'

/** Dependencies for delivering emails. */
export interface MailDelivery extends Pick<ConversationPorts, 'store' | 'queue' | 'clock'> {
  /** Sends requests, under the network policy. */
  readonly outbound: Pick<Outbound, 'send'>
  /** Returns the signing key of an environment's requests. */
  readonly loadTarget: (environmentId: string) => Promise<Pick<BridgeTarget, 'secretKey'>>
}

/** The waits before retries of a failed webhook, half a day in total, in milliseconds. */
const retryDelaysMs: readonly number[] = [5, 30, 120, 600, 1800, 3600, 10_800, 21_600].map((seconds) => seconds * 1000)

/**
 * Delivers the email that was taken from the queue to its webhook. A delivery that was interrupted by a crash is
 * repeated with the same idempotency key.
 *
 * @param delivery - Dependencies.
 * @param item - The email.
 * @param signal - Cancels the request when the service stops.
 * @throws Internal failures, so that the item is retried later.
 */
export async function deliverMail(delivery: MailDelivery, item: TakenItem, signal: AbortSignal): Promise<void> {
  const { store, queue, clock } = delivery
  const row = await store.db.selectFrom('inboundMails').selectAll().where('id', '=', item.id).executeTakeFirst()
  if (row?.status !== 'pending') return
  const outcome = await callWebhook(delivery, row, signal)
  const delayMs = outcome.isFinal ? undefined : retryDelaysMs[row.attempts]
  const status = outcome.reason === undefined ? 'delivered' : delayMs === undefined ? 'failed' : 'pending'
  await store.transaction(async (tx) => {
    await tx
      .updateTable('inboundMails')
      .set({
        ...{ status, reason: outcome.reason ?? null, attempts: row.attempts + 1 },
        settledAt: status === 'pending' ? null : clock.now(),
      })
      .where('id', '=', row.id)
      .where('status', '=', 'pending')
      .execute()
    const { kind, id, lane } = item
    if (status === 'pending') await queue.add(tx, [{ kind, id, lane }], { delayMs: delayMs ?? 0 })
    await item.complete(tx)
  })
}

/**
 * Calls the webhook of an email once.
 *
 * @param delivery - Dependencies.
 * @param mail - The email: its id, its webhook and its content.
 * @param signal - Cancels the request.
 */
export async function callWebhook(
  { outbound, loadTarget, clock }: Omit<MailDelivery, 'store' | 'queue'>,
  { id, environmentId, target, content }: Pick<InboundMailRow, 'id' | 'environmentId' | 'target' | 'content'>,
  signal: AbortSignal,
): Promise<WebhookOutcome> {
  const { secretKey } = await loadTarget(environmentId)
  const body = JSON.stringify({ id, ...(JSON.parse(content) as JsonObject) })
  const signature = await sign(secretKey, body, { nowMs: clock.now() })
  const signatures = toSignatureHeaders().map((name) => [name, signature])
  const headers = { 'idempotency-key': id, ...Object.fromEntries(signatures) }
  return postWebhook(outbound, { url: target ?? '', headers, body }, signal)
}
