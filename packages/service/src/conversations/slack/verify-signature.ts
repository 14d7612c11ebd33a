import { createHmac, timingSafeEqual } from 'node:crypto'

/** A call that may come from Slack. */
export interface SignedCall {
  /** The header `x-slack-request-timestamp`: seconds since 1970. */
  readonly timestamp: string | undefined
  /** The header `x-slack-signature`. */
  readonly signature: string | undefined
  /** The body as received. */
  readonly body: Uint8Array
  /** The time, in milliseconds since 1970. */
  readonly nowMs: number
}

/** The maximum age of a call, or its distance in the future, which limits replays. */
const windowMs = 5 * 60_000

/**
 * Returns whether a call can have a valid signature: its headers are well-formed, and its time is within five minutes.
 *
 * @param call - The call, whose body may still be unread.
 */
export function mayBeSigned({ timestamp, signature, nowMs }: Omit<SignedCall, 'body'>): boolean {
  if (!/^\d{1,12}$/.test(timestamp ?? '') || !/^v0=[\da-f]{64}$/.test(signature ?? '')) return false
  return Math.abs(nowMs - Number(timestamp) * 1000) <= windowMs
}

/**
 * Verifies the signature of a call with a Slack signing secret: HMAC-SHA256 over `v0:timestamp:body`, not older than
 * five minutes. Compares in constant time.
 *
 * @param signingSecret - The signing secret of the Slack app.
 */
export function isSignedBySlack(call: SignedCall, signingSecret: string): boolean {
  if (signingSecret === '' || !mayBeSigned(call)) return false
  const { timestamp, signature, body } = call
  const expected = createHmac('sha256', signingSecret).update(`v0:${timestamp}:`).update(body).digest()
  return timingSafeEqual(expected, Buffer.from((signature ?? '').slice(3), 'hex'))
}
