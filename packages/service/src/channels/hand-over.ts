import type { Clock } from '../clock/clock.ts'
import type { SentMessage } from '../engine/port/channel-port.ts'
import type { Vault } from '../secrets/vault.ts'
import type { MessageRow } from '../store/schema/message.ts'
import { type FallbackDelivery, sealDelivery } from './sealed-delivery.ts'

/** Why a message leaves its integration. */
export interface HandOver {
  readonly code: string
  readonly message: string
  /** The start of a sentence, such as `The provider failed`. */
  readonly reason: string
}

/** Hands a message to the first of the integrations that are left; undefined if there is none. */
export function handOver(
  message: MessageRow,
  {
    code,
    message: text,
    reason,
    fallbacks: [next, ...rest],
  }: HandOver & { readonly fallbacks: readonly FallbackDelivery[] },
  { vault, clock }: { readonly vault: Vault; readonly clock: Pick<Clock, 'now'> },
): SentMessage | undefined {
  if (next === undefined) return undefined
  const { providerId, integrationId, identifier, outgoing, credentials } = next
  const nowMs = clock.now()
  return {
    patch: {
      status: 'pending',
      ...{ providerId, integrationId, retryAt: nowMs, updatedAt: nowMs },
      // Counted as an attempt, so that a disabled integration is noticed.
      attempts: 1,
      delivery: sealDelivery({ outgoing, credentials, fallbacks: rest }, vault, message.id),
    },
    notes: [
      {
        ...aboutMessage(message),
        raw: { code, message: text, integrationIdentifier: identifier },
        detail: `${reason}, so the message is handed to the integration "${identifier}": ${text}`,
        ...{ status: 'Warning', source: 'Credentials', isRetry: true },
      },
    ],
  }
}

/** Returns the fields of notes that name the message and its provider. */
export function aboutMessage({ id, providerId }: MessageRow): {
  readonly messageId: string
  readonly providerId?: string
} {
  return { messageId: id, ...(providerId ? { providerId } : {}) }
}
