import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'

const prefix = 'whsec_'
const secretBytes = 32
/** The maximum age of a signed call, or its distance in the future, which limits replays. */
const windowMs = 5 * 60_000
const maxSignatures = 10

/** A call as the Standard Webhooks specification signs it. */
export interface SignedWebhook {
  /** The header `webhook-id`. */
  readonly id: string
  /** The header `webhook-timestamp`: seconds since 1970. */
  readonly timestamp: string
  /** The body as sent. */
  readonly body: string | Uint8Array
}

/** Returns a new secret for signing webhooks. */
export function createWebhookSecret(): string {
  return prefix + randomBytes(secretBytes).toString('base64')
}

/**
 * Returns the header `webhook-signature`: a signature for each secret, so that a receiver with any of them accepts it.
 *
 * @param secrets - The secrets, which start with `whsec_`.
 */
export function signWebhook(call: SignedWebhook, secrets: readonly string[]): string {
  return secrets.map((secret) => `v1,${toSignature(call, secret).toString('base64')}`).join(' ')
}

/**
 * Returns whether one of the signatures of a call was made with a secret, within five minutes. Compares in constant
 * time.
 *
 * @param call - The call; its `signatures` are the header `webhook-signature`.
 */
export function isSignedWebhook(
  call: SignedWebhook & { readonly signatures: string; readonly nowMs: number },
  secret: string,
): boolean {
  const { timestamp, signatures, nowMs } = call
  if (secret === '' || !/^\d{1,12}$/.test(timestamp)) return false
  if (Math.abs(nowMs - Number(timestamp) * 1000) > windowMs) return false
  const expected = toSignature(call, secret)
  return signatures
    .split(' ')
    .slice(0, maxSignatures)
    .some((signature) => {
      const given = Buffer.from(signature.startsWith('v1,') ? signature.slice(3) : '', 'base64')
      return given.length === expected.length && timingSafeEqual(given, expected)
    })
}

function toSignature({ id, timestamp, body }: SignedWebhook, secret: string): Buffer {
  const key = Buffer.from(secret.startsWith(prefix) ? secret.slice(prefix.length) : secret, 'base64')
  return createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest()
}
