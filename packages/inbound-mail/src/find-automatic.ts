import type { ParsedMail } from './parse-mail.ts'
import { RefusedMailError } from './refused-mail.ts'

/** A mail that no person wrote. */
export interface AutomaticMail {
  /** What it is: an answer of a program, the report of a mail server, a mailing list, or another program's mail. */
  readonly kind: 'auto-reply' | 'bounce' | 'list' | 'generated'
  /** How that is known. */
  readonly reason: string
}

/** A mail that has passed so many servers is on its way in circles. */
const maxHops = 30

const autoReplyHeaders = ['x-autoreply', 'x-autorespond', 'x-autoresponder', 'x-auto-reply-from']

/**
 * Returns what wrote a mail, unless it was a person. An answer to such a mail may be answered by a program again, for ever.
 *
 * @param mail - The mail.
 * @param envelopeFrom - The sender of the envelope; empty for a bounce.
 */
export function findAutomatic(mail: ParsedMail, envelopeFrom: string): AutomaticMail | undefined {
  const read = (name: string): string | undefined => mail.headers.find((header) => header.name === name)?.value.trim()
  const kindOf = read('content-type')?.toLowerCase() ?? ''
  if (envelopeFrom === '') return { kind: 'bounce', reason: 'The envelope has no sender.' }
  if (kindOf.startsWith('multipart/report')) return { kind: 'bounce', reason: 'It is a report (multipart/report).' }
  const submitted = read('auto-submitted')?.toLowerCase().split(/[;\s]/)[0]
  if (submitted !== undefined && submitted !== 'no')
    return {
      kind: submitted === 'auto-replied' ? 'auto-reply' : 'generated',
      reason: `It says "Auto-Submitted: ${submitted.slice(0, 50)}".`,
    }
  const reply = autoReplyHeaders.find((name) => read(name) !== undefined)
  if (reply !== undefined) return { kind: 'auto-reply', reason: `It has the header ${reply}.` }
  const precedence = read('precedence')?.toLowerCase()
  if (precedence === 'auto_reply') return { kind: 'auto-reply', reason: 'It says "Precedence: auto_reply".' }
  if (read('list-id') !== undefined) return { kind: 'list', reason: 'It has the header list-id.' }
  if (precedence === 'list') return { kind: 'list', reason: 'It says "Precedence: list".' }
  if (precedence === 'bulk' || precedence === 'junk')
    return { kind: 'generated', reason: `It says "Precedence: ${precedence}".` }
  return undefined
}

/**
 * Refuses a mail that goes in circles.
 *
 * @param mail - The mail.
 * @param recipients - The recipients of the envelope.
 * @throws {RefusedMailError}
 */
export function checkLoop(mail: ParsedMail, recipients: readonly string[]): void {
  const hops = mail.headers.filter(({ name }) => name === 'received').length
  if (hops > maxHops)
    throw new RefusedMailError({ code: 554, message: `5.4.6 The mail has passed ${hops} servers: it goes in circles.` })
  const seen = mail.headers.filter(({ name }) => name === 'delivered-to').map(({ value }) => value.trim().toLowerCase())
  const again = recipients.find((recipient) => seen.includes(recipient.toLowerCase()))
  if (again !== undefined)
    throw new RefusedMailError({
      code: 554,
      message: `5.4.6 The mail was delivered to ${again} before: it goes in circles.`,
    })
}
