import type { ParsedMail } from './parse-mail.ts'
import { RefusedMailError } from './refused-mail.ts'

/** An automatically sent email. */
export interface AutomaticMail {
  /** The kind: an automatic reply, a bounce, mailing list mail, or other automatic mail. */
  readonly kind: 'auto-reply' | 'bounce' | 'list' | 'generated'
  /** The reason, as a sentence. */
  readonly reason: string
}

/** The number of hops from which an email counts as looping. */
const maxHops = 30

const autoReplyHeaders = ['x-autoreply', 'x-autorespond', 'x-autoresponder', 'x-auto-reply-from']

/**
 * Returns the kind of an automatic email; undefined for an email from a person. Replying to automatic mail could start
 * an endless loop.
 *
 * @param mail - The parsed email.
 * @param envelopeFrom - The envelope sender; empty for a bounce.
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
      reason: `It has "Auto-Submitted: ${submitted.slice(0, 50)}".`,
    }
  const reply = autoReplyHeaders.find((name) => read(name) !== undefined)
  if (reply !== undefined) return { kind: 'auto-reply', reason: `It has the header ${reply}.` }
  const precedence = read('precedence')?.toLowerCase()
  if (precedence === 'auto_reply') return { kind: 'auto-reply', reason: 'It has "Precedence: auto_reply".' }
  if (read('list-id') !== undefined) return { kind: 'list', reason: 'It has the header list-id.' }
  if (precedence === 'list') return { kind: 'list', reason: 'It has "Precedence: list".' }
  if (precedence === 'bulk' || precedence === 'junk')
    return { kind: 'generated', reason: `It has "Precedence: ${precedence}".` }
  return undefined
}

/**
 * Rejects an email that is looping.
 *
 * @param mail - The email.
 * @param recipients - The envelope recipients.
 * @throws {RefusedMailError}
 */
export function checkLoop(mail: ParsedMail, recipients: readonly string[]): void {
  const hops = mail.headers.filter(({ name }) => name === 'received').length
  if (hops > maxHops)
    throw new RefusedMailError({ code: 554, message: `5.4.6 The mail has passed ${hops} servers, so it is in a loop.` })
  const seen = mail.headers.filter(({ name }) => name === 'delivered-to').map(({ value }) => value.trim().toLowerCase())
  const again = recipients.find((recipient) => seen.includes(recipient.toLowerCase()))
  if (again !== undefined)
    throw new RefusedMailError({
      code: 554,
      message: `5.4.6 The mail was already delivered to ${again}, so it is in a loop.`,
    })
}
