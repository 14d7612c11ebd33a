import type { Outbound } from '@trestle/bridge-client'
import { isObject } from '@trestle/protocol'
import { maskSecrets } from '../bridge/mask-secrets.ts'
import type { Clock } from '../clock/clock.ts'
import type { DeliveryNote, SentMessage } from '../engine/port/channel-port.ts'
import type { Vault } from '../secrets/vault.ts'
import type { MessageRow } from '../store/schema/message.ts'
import { apiOf } from './apis/api-request.ts'
import type { Authorizer } from './auth/authorizer.ts'
import { toRetryMs } from './base/retry.ts'
import { type Blame, SendError } from './base/send-error.ts'
import { toStorable } from './base/storable.ts'
import { sendMail } from './email/send-mail.ts'
import { aboutMessage, handOver } from './hand-over.ts'
import { type FallbackDelivery, openDelivery, type PendingDelivery, secretsOf } from './sealed-delivery.ts'
import { sendRequest } from './webhook/send-request.ts'

/** Dependencies for sending messages. */
export interface SendOptions {
  /** Decrypts pending messages. */
  readonly vault: Vault
  /** Checks addresses and sends requests. */
  readonly outbound: Outbound
  /** Authenticates requests to providers. */
  readonly authorizer: Authorizer
  readonly clock: Pick<Clock, 'now'>
  /** The timeout of one message, in milliseconds. @default 30000 */
  readonly timeoutMs?: number
}

/** The maximum stored length of a provider's text, and of a list such as rejected recipients. */
const shownLength = 500
const shownItems = 100

/**
 * Sends a pending message to its provider. Never rejects because of a provider failure. Messages that are no longer
 * pending are not sent again.
 *
 * @param message - The message as it was stored.
 * @param options - Policy, vault and time.
 * @returns Changes of its row, and entries for the run's history.
 */
export async function sendMessage(message: MessageRow, options: SendOptions): Promise<SentMessage> {
  if (message.status !== 'pending' || message.delivery === null) return { patch: { status: message.status }, notes: [] }
  const attempt = await trySend(message, options, AbortSignal.timeout(options.timeoutMs ?? 30_000))
  const nowMs = options.clock.now()
  const { attempts } = message
  const askedMs = attempt.error?.waitMs
  const retryMs = askedMs === undefined ? undefined : toRetryMs({ attempts, askedMs })
  if (attempt.error && retryMs !== undefined) {
    const patch = { status: 'pending', attempts: attempts + 1, retryAt: nowMs + retryMs, updatedAt: nowMs } as const
    return { patch, notes: [toRetryNote(message, { error: attempt.error, retryMs })] }
  }
  const { error, fallbacks = [] } = attempt
  const moved =
    error &&
    isHandedOver(error) &&
    handOver(message, { code: error.code, message: error.message, reason: 'The provider failed', fallbacks }, options)
  if (moved) return moved
  const patch = {
    status: attempt.error ? 'error' : 'sent',
    errorId: attempt.error?.code ?? null,
    errorText: attempt.error?.message ?? null,
    providerMessageId: attempt.providerMessageId === undefined ? null : toStorable(show(attempt.providerMessageId)),
    deliveredAt: JSON.stringify(attempt.error ? [] : [nowMs]),
    delivery: null,
    attempts: attempts + 1,
    retryAt: null,
    updatedAt: nowMs,
  } as const
  return { patch, notes: [toNote(message, attempt)] }
}

/**
 * Whether another integration may send the message: only if this one is at fault, and the provider has definitely not
 * accepted it. Another integration would also reject an invalid message, and a message with an unknown outcome may have
 * reached the recipient.
 */
const isHandedOver = ({ blame }: Fault): boolean => blame === 'integration'

interface Fault {
  readonly code: string
  readonly message: string
  readonly blame: Blame
  /** Set if it may be retried: the minimum wait, in milliseconds. */
  readonly waitMs: number | undefined
}

interface Attempt {
  readonly error?: Fault
  /** The integrations that are left. */
  readonly fallbacks?: readonly FallbackDelivery[] | undefined
  readonly providerMessageId?: string | undefined
  readonly raw: Readonly<Record<string, unknown>>
}

async function trySend(
  message: MessageRow,
  { vault, outbound, authorizer, clock }: SendOptions,
  signal: AbortSignal,
): Promise<Attempt> {
  let pending: PendingDelivery | undefined
  try {
    pending = openDelivery(message.delivery ?? '', vault, message.id)
    const { outgoing, credentials } = pending
    if (outgoing.kind === 'mail') {
      const { providerMessageId, ...raw } = await sendMail(outgoing.mail, credentials, { outbound, signal })
      return { providerMessageId, raw: show(raw, pending) }
    }
    const explain = apiOf(message.providerId ?? '')?.explain
    const request = {
      outbound,
      authorizer,
      messageId: message.id,
      nowMs: clock.now(),
      signal,
      ...(explain && { explain }),
    }
    const { providerMessageId, ...raw } = await sendRequest(outgoing, request)
    return { providerMessageId, raw: show(raw, pending) }
  } catch (error) {
    const { message: text, ...fault } = toFault(error, signal)
    const displayText = toStorable(show(text, pending))
    const raw = { code: fault.code, message: displayText }
    return { error: { ...fault, message: displayText }, fallbacks: pending?.fallbacks, raw }
  }
}

/**
 * Returns the displayable part of a provider's response: the start of each string. Secrets are masked before
 * truncation.
 */
function show<T>(value: T, pending?: PendingDelivery): T {
  const masked = pending ? maskSecrets(value, secretsOf(pending)) : value
  // Only strings are masked, so the type is preserved.
  return cut(masked) as T
}

function cut(value: unknown): unknown {
  if (typeof value === 'string') return value.slice(0, shownLength)
  if (Array.isArray(value)) return value.slice(0, shownItems).map(cut)
  return isObject(value) ? Object.fromEntries(Object.entries(value).map(([name, item]) => [name, cut(item)])) : value
}

function toFault(error: unknown, signal: AbortSignal): Fault {
  // The provider may have accepted it anyway.
  if (signal.aborted)
    return { ...unknownFault, code: 'send_timeout', message: 'The provider did not accept the message in time.' }
  if (error instanceof SendError)
    return { code: error.code, message: error.message, blame: error.blame, waitMs: error.waitMs }
  const message = error instanceof Error ? error.message : 'The message could not be sent.'
  return { ...unknownFault, code: 'send_failed', message }
}

const unknownFault = { blame: 'unknown', waitMs: undefined } as const

function toNote(message: MessageRow, { error, raw }: Attempt): DeliveryNote {
  const about = { ...aboutMessage(message), raw } as const
  if (!error) return { ...about, detail: 'Message sent', status: 'Success', source: 'Internal' }
  return { ...about, detail: `The provider failed: ${error.message}`, status: 'Failed', source: 'Credentials' }
}

function toRetryNote(
  sent: MessageRow,
  { error, retryMs }: { readonly error: Fault; readonly retryMs: number },
): DeliveryNote {
  const { code, message } = error
  return {
    ...{ ...aboutMessage(sent), raw: { code, message, retryMs } },
    detail: `The provider cannot accept the message yet, so it is retried in ${Math.ceil(retryMs / 1000)} s: ${message}`,
    ...{ status: 'Warning', source: 'Credentials', isRetry: true },
  }
}
