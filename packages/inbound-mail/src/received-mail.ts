import type { ReadMail } from './read-mail.ts'

/** A completely received email. */
export interface ReceivedMail extends ReadMail {
  /** The accepted recipients, as given by the sending server. */
  readonly recipients: readonly string[]
  /** The envelope sender; empty for a bounce. */
  readonly envelopeFrom: string
  /** The address of the sending server. */
  readonly remoteAddress: string
  /** The name of the sending server in EHLO. */
  readonly helo: string
  /** Whether the email was received over TLS. */
  readonly isSecure: boolean
  /** The size of the email as received, in bytes. */
  readonly sizeBytes: number
}
