import { createWebhookSecret } from '../outbound/standard-webhook.ts'
import { sealedPlaces } from '../secrets/sealed-places.ts'
import type { Vault } from '../secrets/vault.ts'
import type { WebhookEndpointRow } from '../store/schema/delivery.ts'

/** A signing secret of an endpoint. */
interface EndpointSecret {
  readonly secret: string
  /** When it expires, in milliseconds since 1970; absent for the current one. */
  readonly untilMs?: number
}

/** How long a rotated secret still signs, so that the receiver has time to replace it. */
const overlapMs = 24 * 60 * 60_000

/** The new secret of an endpoint, and the sealed text of all its secrets. */
export interface RotatedSecret {
  readonly secret: string
  readonly sealed: string
}

/** Returns the secrets of an endpoint that have not expired, newest first. */
export function openSecrets(
  vault: Vault,
  { id, secrets }: Pick<WebhookEndpointRow, 'id' | 'secrets'>,
  nowMs: number,
): readonly string[] {
  // Only this file writes the text, as its authenticated encryption proves.
  const list = JSON.parse(vault.open(secrets, sealedPlaces.webhookSecrets(id))) as readonly EndpointSecret[]
  return list.filter(({ untilMs = Number.POSITIVE_INFINITY }) => untilMs > nowMs).map(({ secret }) => secret)
}

/**
 * Creates a new secret for an endpoint. The previous secret still signs for another day; older ones expire immediately.
 *
 * @param previous - The current secret; `undefined` for a new endpoint, or to expire it immediately.
 */
export function rotateSecret(
  vault: Vault,
  endpointId: string,
  { previous, nowMs }: { readonly previous: string | undefined; readonly nowMs: number },
): RotatedSecret {
  const secret = createWebhookSecret()
  const list: readonly EndpointSecret[] = [
    { secret },
    ...(previous === undefined ? [] : [{ secret: previous, untilMs: nowMs + overlapMs }]),
  ]
  return { secret, sealed: vault.seal(JSON.stringify(list), sealedPlaces.webhookSecrets(endpointId)) }
}
