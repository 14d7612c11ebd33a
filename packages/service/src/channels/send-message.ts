import type { Outbound } from '@trestle/bridge-client'
import { maskSecrets } from '../bridge/mask-secrets.ts'
import type { Clock } from '../clock/clock.ts'
import type { Vault } from '../secrets/vault.ts'
import type { MessageRow } from '../store/schema/message.ts'
import type { Store } from '../store/store.ts'
import type { Detail } from './delivery.ts'
import { sendMail } from './email/send-mail.ts'
import { openDelivery, type PendingDelivery, secretsOf } from './sealed-delivery.ts'
import { SendError } from './send-error.ts'
import { sendRequest } from './webhook/send-request.ts'

/** What messages are sent with. */
export interface SendOptions {
  /** Where messages are stored. */
  readonly store: Pick<Store, 'db'>
  /** Opens what waits to be sent. */
  readonly vault: Vault
  /** Checks addresses and sends requests. */
  readonly outbound: Outbound
  /** The time. */
  readonly clock: Pick<Clock, 'now'>
  /** The longest time of one message. @default 30000 */
  readonly timeoutMs?: number
}

/** What became of a message that was sent. */
export interface SendResult {
  /** Whether the provider took it. */
  readonly status: 'sent' | 'error'
  /** What to write into the run's execution details. */
  readonly details: readonly Detail[]
  /** The columns that were changed. */
  readonly patch: Partial<MessageRow>
}

/**
 * Hands a pending message to its provider and stores what became of it. Never rejects for a fault of the provider.
 * One that is no longer pending is not sent again.
 *
 * @param message - The message as it was stored.
 * @param options - Store, policy and time.
 * @param signal - Ends the sending; the message then counts as failed.
 */
export async function sendMessage(
  message: MessageRow,
  options: SendOptions,
  signal?: AbortSignal,
): Promise<SendResult> {
  if (message.status !== 'pending' || message.delivery === null) {
    return { status: message.status === 'error' ? 'error' : 'sent', details: [], patch: {} }
  }
  const limit = AbortSignal.timeout(options.timeoutMs ?? 30_000)
  const attempt = await trySend(message, options, signal ? AbortSignal.any([signal, limit]) : limit)
  const nowMs = options.clock.now()
  const patch: Partial<MessageRow> = {
    status: attempt.error ? 'error' : 'sent',
    errorId: attempt.error?.code ?? null,
    errorText: attempt.error?.message ?? null,
    providerMessageId: attempt.providerMessageId ?? null,
    deliveredAt: JSON.stringify(attempt.error ? [] : [nowMs]),
    delivery: null,
    updatedAt: nowMs,
  }
  await options.store.db
    .updateTable('messages')
    .set(patch)
    .where('id', '=', message.id)
    .where('status', '=', 'pending')
    .execute()
  return { status: attempt.error ? 'error' : 'sent', details: [toDetail(message, attempt)], patch }
}

interface Attempt {
  readonly error?: { readonly code: string; readonly message: string }
  readonly providerMessageId?: string | undefined
  readonly raw: Readonly<Record<string, unknown>>
}

async function trySend(
  message: MessageRow,
  { vault, outbound, clock }: SendOptions,
  signal: AbortSignal,
): Promise<Attempt> {
  let pending: PendingDelivery | undefined
  try {
    pending = openDelivery(message.delivery ?? '', vault)
    const { outgoing, credentials } = pending
    if (outgoing.kind === 'mail') {
      const { providerMessageId, ...raw } = await sendMail(outgoing.mail, credentials, { outbound, signal })
      return { providerMessageId, raw }
    }
    const request = { outbound, messageId: message.id, nowMs: clock.now(), signal }
    const { providerMessageId, ...raw } = await sendRequest(outgoing, request)
    return { providerMessageId, raw: mask(raw, pending) }
  } catch (error) {
    const { code, message: text } = toFault(error, signal)
    const masked = String(mask(text, pending))
    return { error: { code, message: masked }, raw: { code, message: masked } }
  }
}

function mask<T>(value: T, pending: PendingDelivery | undefined): T {
  // Masking changes texts only, so the shape stays.
  return (pending ? maskSecrets(value, secretsOf(pending)) : value) as T
}

function toFault(error: unknown, signal: AbortSignal): { code: string; message: string } {
  if (signal.aborted) return { code: 'send_timeout', message: 'The provider did not take the message in time.' }
  if (error instanceof SendError) return { code: error.code, message: error.message }
  return { code: 'send_failed', message: error instanceof Error ? error.message : 'The message could not be sent.' }
}

function toDetail({ id, providerId }: MessageRow, { error, raw }: Attempt): Detail {
  const about = { messageId: id, ...(providerId ? { providerId } : {}), raw } as const
  if (!error) return { ...about, detail: 'Message sent', status: 'Success', source: 'Internal' }
  return { ...about, detail: `The provider failed: ${error.message}`, status: 'Failed', source: 'Credentials' }
}
