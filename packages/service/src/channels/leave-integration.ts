import type { Clock } from '../clock/clock.ts'
import type { SentMessage } from '../engine/port/channel-port.ts'
import { UnsealableError, type Vault } from '../secrets/vault.ts'
import type { MessageRow } from '../store/schema/message.ts'
import type { Store } from '../store/store.ts'
import { aboutMessage, handOver } from './hand-over.ts'
import { type FallbackDelivery, openDelivery } from './sealed-delivery.ts'

/** Dependencies for leaving an integration. */
export interface LeaveOptions {
  readonly store: Pick<Store, 'db'>
  /** Decrypts the message for the next integrations, and encrypts it again. */
  readonly vault: Vault
  readonly clock: Pick<Clock, 'now'>
}

const code = 'integration_stopped'
const text = 'The integration was disabled or deleted before its provider accepted the message.'

/**
 * Hands a waiting message whose integration was disabled or deleted to the next active integration. The message fails
 * if none is left.
 */
export async function leaveIntegration(message: MessageRow, options: LeaveOptions): Promise<SentMessage> {
  const fallbacks = readFallbacks(message, options.vault)
  const active = await findActive(options.store, fallbacks)
  const index = fallbacks.findIndex(({ integrationId }) => active.has(integrationId))
  const left = index < 0 ? [] : fallbacks.slice(index)
  const reason = 'The integration was disabled or deleted'
  return handOver(message, { code, message: text, reason, fallbacks: left }, options) ?? toGivenUp(message)
}

/** Returns no fallbacks if the message was encrypted with a different key. */
function readFallbacks({ id, delivery }: MessageRow, vault: Vault): readonly FallbackDelivery[] {
  try {
    return delivery === null ? [] : (openDelivery(delivery, vault, id).fallbacks ?? [])
  } catch (error) {
    if (!(error instanceof UnsealableError)) throw error
    return []
  }
}

async function findActive(
  { db }: Pick<Store, 'db'>,
  fallbacks: readonly FallbackDelivery[],
): Promise<ReadonlySet<string>> {
  if (fallbacks.length === 0) return new Set()
  const ids = fallbacks.map(({ integrationId }) => integrationId)
  const rows = db.selectFrom('integrations').select('id').where('id', 'in', ids)
  return new Set((await rows.where('active', '=', 1).execute()).map(({ id }) => id))
}

function toGivenUp(message: MessageRow): SentMessage {
  return {
    patch: { status: 'error', errorId: code, errorText: text, delivery: null, retryAt: null },
    notes: [
      {
        ...aboutMessage(message),
        raw: { code, message: text },
        detail: text,
        ...{ status: 'Failed', source: 'Credentials' },
      },
    ],
  }
}
