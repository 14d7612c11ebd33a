import { createHmac, timingSafeEqual } from 'node:crypto'

/** A call that may come from Slack. */
export interface SignedCall {
  /** The header `x-slack-request-timestamp`: seconds since 1970. */
  readonly timestamp: string | undefined
  /** The header `x-slack-signature`. */
  readonly signature: string | undefined
  /** The body as received. */
  readonly body: Uint8Array
  /** The time, milliseconds since 1970. */
  readonly nowMs: number
}

/** How old, or how far ahead, the time of a call may be: so long can it be sent again by somebody else. */
const windowMs = 5 * 60_000

/**
 * Returns whether a call can be signed at all: its headers have the form of Slack's, and its time is within five minutes.
 *
 * @param call - The call, whose body may still be unread.
 */
export function mayBeSigned({ timestamp, signature, nowMs }: Omit<SignedCall, 'body'>): boolean {
  if (!/^\d{1,12}$/.test(timestamp ?? '') || !/^v0=[\da-f]{64}$/.test(signature ?? '')) return false
  return Math.abs(nowMs - Number(timestamp) * 1000) <= windowMs
}

/**
 * Returns whether a call was signed with a signing secret of Slack: HMAC-SHA256 over `v0:timestamp:body`, not older than
 * five minutes. The comparison takes the same time wherever two signatures differ.
 *
 * @param call - The call.
 * @param signingSecret - The secret of the app in Slack.
 */
export function isSignedBySlack(call: SignedCall, signingSecret: string): boolean {
  if (signingSecret === '' || !mayBeSigned(call)) return false
  const { timestamp, signature, body } = call
  const expected = createHmac('sha256', signingSecret).update(`v0:${timestamp}:`).update(body).digest()
  return timingSafeEqual(expected, Buffer.from((signature ?? '').slice(3), 'hex'))
}
