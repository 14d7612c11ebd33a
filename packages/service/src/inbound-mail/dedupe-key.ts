import { createHash } from 'node:crypto'

/**
 * Returns the key that identifies an email for one of its recipients.
 *
 * @param digest - Hash of the email as received.
 * @param recipient - The address of the recipient.
 */
export function toDedupeKey(digest: string, recipient: string): string {
  return createHash('sha256').update(`${digest}\n${recipient}`).digest('hex')
}
