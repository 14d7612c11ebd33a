import type { Outbound } from '@trestle/bridge-client'
import { toStorable } from '../channels/base/storable.ts'
import type { Clock } from '../clock/clock.ts'
import type { EngineLogger } from '../engine/port/engine-ports.ts'
import { postWebhook, type WebhookOutcome } from '../outbound/post-webhook.ts'
import { signWebhook } from '../outbound/standard-webhook.ts'
import type { Queue, TakenItem } from '../queue/queue.ts'
import type { Vault } from '../secrets/vault.ts'
import type { WebhookDeliveryRow, WebhookEndpointRow } from '../store/schema/delivery.ts'
import type { Session, Store } from '../store/store.ts'
import { failSpan, type SpanDraft, toClient, toConsumer, withSpan } from '../traces/spans.ts'
import { openSecrets } from './endpoint-secrets.ts'
import { queueWebhook } from './queue-webhook.ts'
import { maxAttemptGapMs, toWebhookDelay } from './retry-webhook.ts'

/** Dependencies of deliveries. */
export interface WebhookWork {
  readonly store: Store
  readonly queue: Pick<Queue, 'add'>
  readonly clock: Pick<Clock, 'now'>
  /** Decrypts signing secrets. */
  readonly vault: Vault
  /** Sends requests in accordance with the network policy. */
  readonly outbound: Pick<Outbound, 'send'>
  readonly logger: EngineLogger
  /** How long an endpoint can keep failing before it is disabled, in milliseconds. */
  readonly disableAfterMs: number
  /** Forces the environment's endpoints to be reloaded at its next event. */
  readonly forget: (environmentId: string) => void
}

/** An attempt, as returned by the API. */
export interface LoggedAttempt {
  /** When it started, in ISO 8601. */
  readonly at: string
  readonly durationMs: number
  /** The response status. */
  readonly status?: number
  /** The start of the response body. */
  readonly response?: string
  /** Why it failed. */
  readonly reason?: string
}

const shownLength = 1000
const maxLogged = 10
const gone = 410
const dayMs = 24 * 60 * 60_000

/**
 * Delivers the event of a queue item to its endpoint. A delivery that was interrupted by a crash is retried with the
 * same `webhook-id`.
 *
 * @param signal - Cancels the request when the service stops.
 * @throws Internal errors, so that the item is retried later.
 */
export async function deliverWebhook(work: WebhookWork, item: TakenItem, signal: AbortSignal): Promise<void> {
  const { store, clock } = work
  const delivery = await store.db
    .selectFrom('webhookDeliveries')
    .selectAll()
    .where('id', '=', item.id)
    .executeTakeFirst()
  if (delivery?.status !== 'pending') return
  const endpoint = await store.db
    .selectFrom('webhookEndpoints')
    .selectAll()
    .where('id', '=', delivery.endpointId)
    .executeTakeFirst()
  if (!endpoint || endpoint.active === 0) return settle(work, { item, delivery, endpoint, outcome: disabled })
  await withSpan(toDeliverySpan(delivery), async () => {
    const startedMs = clock.now()
    const beforeMs = performance.now()
    const outcome = await call(work, { delivery, endpoint }, signal)
    const durationMs = Math.round(performance.now() - beforeMs)
    await settle(work, { item, delivery, endpoint, outcome, attempt: toAttempt(outcome, { startedMs, durationMs }) })
  })
}

function toDeliverySpan({ trace, eventType, eventId, endpointId, attempts }: WebhookDeliveryRow): SpanDraft {
  const attributes = { 'trestle.event_id': eventId, 'trestle.endpoint_id': endpointId, 'trestle.attempt': attempts + 1 }
  return toConsumer(trace, { operation: 'deliver', destination: eventType, attributes })
}

const disabled: WebhookOutcome = { reason: 'The endpoint was disabled or deleted before the delivery.', isFinal: true }

async function call(
  { outbound, vault, clock }: WebhookWork,
  { delivery, endpoint }: { readonly delivery: WebhookDeliveryRow; readonly endpoint: WebhookEndpointRow },
  signal: AbortSignal,
): Promise<WebhookOutcome> {
  const nowMs = clock.now()
  const { eventId: id, payload: body } = delivery
  const timestamp = String(Math.floor(nowMs / 1000))
  const signature = signWebhook({ id, timestamp, body }, openSecrets(vault, endpoint, nowMs))
  const headers = { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signature }
  return withSpan(toClient('webhook'), async (span) => {
    const outcome = await postWebhook(outbound, { url: endpoint.url, headers, body }, signal)
    if (outcome.status !== undefined) span.setAttribute('http.response.status_code', outcome.status)
    if (outcome.reason !== undefined) failSpan(String(outcome.status ?? 'OutboundError'), span)
    return outcome
  })
}

function toAttempt(
  { status, response, reason }: WebhookOutcome,
  { startedMs, durationMs }: { readonly startedMs: number; readonly durationMs: number },
): LoggedAttempt {
  return {
    at: new Date(startedMs).toISOString(),
    durationMs,
    ...(status !== undefined && { status }),
    ...(response !== undefined && response !== '' && { response: toStorable(response.slice(0, shownLength)) }),
    ...(reason !== undefined && { reason }),
  }
}

interface Settlement {
  readonly item: TakenItem
  readonly delivery: WebhookDeliveryRow
  readonly endpoint: WebhookEndpointRow | undefined
  readonly outcome: WebhookOutcome
  /** The attempt; absent if there was none. */
  readonly attempt?: LoggedAttempt
}

async function settle(work: WebhookWork, settlement: Settlement): Promise<void> {
  const { store, queue, clock } = work
  const { item, delivery, endpoint, outcome, attempt } = settlement
  const nowMs = clock.now()
  const isDelivered = outcome.reason === undefined
  const delayMs = isDelivered || outcome.status === gone ? undefined : toWebhookDelay(delivery.attempts, outcome, nowMs)
  const status = isDelivered ? 'delivered' : delayMs === undefined ? 'failed' : 'pending'
  const log = [...(JSON.parse(delivery.log) as readonly LoggedAttempt[]), ...(attempt ? [attempt] : [])]
  const disabledNow = await store.transaction(async (tx) => {
    const { numUpdatedRows } = await tx
      .updateTable('webhookDeliveries')
      .set({
        ...{ status, reason: outcome.reason ?? null, attempts: delivery.attempts + (attempt ? 1 : 0) },
        ...{ log: JSON.stringify(log.slice(-maxLogged)), nextAt: delayMs === undefined ? null : nowMs + delayMs },
        settledAt: status === 'pending' ? null : nowMs,
      })
      .where('id', '=', delivery.id)
      .where('status', '=', 'pending')
      .executeTakeFirst()
    const isOurs = Number(numUpdatedRows) > 0
    if (isOurs && delayMs !== undefined)
      await queueWebhook(tx, queue, { deliveries: [delivery], delayMs, priority: item.priority })
    await item.complete(tx)
    return isOurs && attempt && endpoint ? noteHealth(tx, { ...work, endpoint, outcome, nowMs }) : undefined
  })
  if (disabledNow === undefined || !endpoint) return
  work.forget(endpoint.environmentId)
  work.logger.warn({ endpointId: endpoint.id, reason: disabledNow }, 'a webhook endpoint was disabled')
}

interface Health extends Pick<WebhookWork, 'disableAfterMs'> {
  readonly endpoint: WebhookEndpointRow
  readonly outcome: WebhookOutcome
  readonly nowMs: number
}

/**
 * Records when an endpoint started to fail, and disables it when the time is up. Returns why the endpoint was disabled.
 * After a long time without attempts, the series starts again, so that a single failure weeks ago does not count. The
 * row read before the call is outdated if other deliveries have ended since.
 */
async function noteHealth(tx: Session, health: Health): Promise<string | undefined> {
  const { endpoint, outcome, nowMs } = health
  // The outcome of a call says nothing about a URL that was set in the meantime.
  const update = tx.updateTable('webhookEndpoints').where('id', '=', endpoint.id).where('url', '=', endpoint.url)
  if (outcome.reason === undefined) {
    await update.set({ failingSince: null }).where('failingSince', 'is not', null).execute()
    return undefined
  }
  const failing = await update
    .set(({ eb, fn, val }) => ({
      failingSince: eb
        .case()
        .when('lastFailedAt', '>=', nowMs - maxAttemptGapMs)
        .then(fn.coalesce('failingSince', val(nowMs)))
        .else(nowMs)
        .end(),
      lastFailedAt: nowMs,
    }))
    .where('active', '=', 1)
    .returning('failingSince')
    .executeTakeFirst()
  const disabledReason = failing && findReason(health, failing.failingSince ?? nowMs)
  if (disabledReason !== undefined) await update.set({ active: 0, disabledReason, updatedAt: nowMs }).execute()
  return disabledReason
}

function findReason({ outcome, disableAfterMs, nowMs }: Health, failingSince: number): string | undefined {
  if (outcome.status === gone) return 'It answered 410 Gone, which asks for no further events.'
  if (nowMs - failingSince < disableAfterMs) return undefined
  const days = Math.max(1, Math.round((nowMs - failingSince) / dayMs))
  const since = new Date(failingSince).toISOString()
  return `All attempts failed for ${days} ${days === 1 ? 'day' : 'days'}, since ${since}. The last one: ${outcome.reason}`
}
