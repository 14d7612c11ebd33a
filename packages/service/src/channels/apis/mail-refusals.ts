import type { Refusal, RefusingAnswer } from './provider-api.ts'

/**
 * Returns the meaning of a rejection by Brevo, which rejects a repeated idempotency key instead of repeating its first
 * answer.
 *
 * @param answer - The response.
 */
export function explainBrevo({ status, body }: RefusingAnswer): Refusal | undefined {
  return status === 400 && body['code'] === 'duplicate_parameter' ? { meaning: 'accepted' } : undefined
}

/**
 * Returns the meaning of a rejection by Resend. While it still processes a request, it rejects others with the same
 * key; afterwards, it repeats its first answer.
 *
 * @param answer - The response.
 */
export function explainResend({ body }: RefusingAnswer): Refusal | undefined {
  return body['name'] === 'concurrent_idempotent_requests' ? { meaning: 'temporary' } : undefined
}
