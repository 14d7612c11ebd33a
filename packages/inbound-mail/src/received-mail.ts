import type { Authentication } from './authenticate-mail.ts'
import type { AutomaticMail } from './find-automatic.ts'
import type { ParsedMail } from './parse-mail.ts'

/** A mail that was received whole. */
export interface ReceivedMail extends ParsedMail {
  /** The recipients that were accepted, as the sending server wrote them. */
  readonly recipients: readonly string[]
  /** The sender of the envelope; empty for a bounce. */
  readonly envelopeFrom: string
  /** The address of the sending server. */
  readonly remoteAddress: string
  /** How the sending server named itself. */
  readonly helo: string
  /** Whether it was received over TLS. */
  readonly isSecure: boolean
  /** The size of the mail as it was received. */
  readonly sizeBytes: number
  /** SHA-256 of the mail as it was received, hexadecimal: a mail that is sent again has the same. */
  readonly digest: string
  /** Who sent it, as far as it can be proved. */
  readonly authentication: Authentication
  /** What wrote it, unless it was a person. */
  readonly automatic: AutomaticMail | undefined
}
