import PostalMime, { type Address, addressParser, type Email } from 'postal-mime'
import { checkHeader } from './check-header.ts'
import { authorRefusal, RefusedMailError } from './refused-mail.ts'

/** An email address with its display name. */
export interface MailAddress {
  readonly address: string
  /** The display name; empty if there is none. */
  readonly name: string
}

/** A header field. */
export interface MailHeader {
  /** The name, in lowercase. */
  readonly name: string
  /** The value, unfolded. */
  readonly value: string
}

/** An attachment of an email. */
export interface MailAttachment {
  readonly fileName: string
  /** The media type. */
  readonly contentType: string
  /** The size, in bytes. */
  readonly sizeBytes: number
  /** The id with which the HTML refers to the attachment. */
  readonly contentId: string | undefined
  /** The content, in Base64. */
  readonly content: string
}

/** The parts of an email. */
export interface ParsedMail {
  /** The author, as stated in the email itself. */
  readonly from: MailAddress
  /** The recipients. */
  readonly to: readonly MailAddress[]
  /** The copy recipients. */
  readonly cc: readonly MailAddress[]
  /** The addresses for replies. */
  readonly replyTo: readonly MailAddress[]
  /** The subject; empty if there is none. */
  readonly subject: string
  /** The Message-ID with angle brackets. */
  readonly messageId: string | undefined
  /** The Message-IDs of the emails it replies to, nearest first. */
  readonly answers: readonly string[]
  /** When the email was written, in ISO 8601. */
  readonly date: string | undefined
  /** The plain text. */
  readonly text: string | undefined
  /** The HTML as sent, which can contain scripts. */
  readonly html: string | undefined
  /** The header fields, in order. */
  readonly headers: readonly MailHeader[]
  /** The files. */
  readonly attachments: readonly MailAttachment[]
}

const maxHeadersSize = 256 * 1024
const maxNestingDepth = 32
const maxAttachments = 100
const maxAnswers = 50
/** The parser needs about 2 KB and 20 µs for each line of text. Encoded files have longer lines. */
const maxShortLines = 150_000
const shortLineBytes = 64

/**
 * Parses an email within limits.
 *
 * @param raw - The email as received.
 * @throws {RefusedMailError} The email is malformed, exceeds the limits, or does not have exactly one author.
 */
export async function parseMail(raw: Uint8Array): Promise<ParsedMail> {
  if (countShortLines(raw) > maxShortLines)
    throw refuse(`The mail has more than ${maxShortLines} lines shorter than ${shortLineBytes} bytes.`)
  checkHeader(raw)
  const mail = await parse(raw)
  if (mail.attachments.length > maxAttachments) throw refuse(`The mail has more than ${maxAttachments} attachments.`)
  const date = mail.date === undefined ? Number.NaN : Date.parse(mail.date)
  return {
    from: readAuthor(mail),
    to: flatten(mail.to),
    cc: flatten(mail.cc),
    replyTo: flatten(mail.replyTo),
    subject: toText(mail.subject ?? ''),
    messageId: readIds(mail.messageId)[0],
    answers: [...new Set([...readIds(mail.inReplyTo), ...readIds(mail.references).reverse()])].slice(0, maxAnswers),
    date: Number.isNaN(date) ? undefined : new Date(date).toISOString(),
    text: mail.text === undefined ? undefined : toText(mail.text),
    html: mail.html === undefined ? undefined : toText(mail.html),
    headers: mail.headers.map(({ key, value }) => ({ name: toText(key), value: toText(value) })),
    attachments: mail.attachments.map(({ filename, mimeType, contentId, content }, index) => {
      const bytes = typeof content === 'string' ? Buffer.from(content, 'base64') : Buffer.from(content as ArrayBuffer)
      return {
        fileName: toText(filename ?? `attachment-${index + 1}`).slice(0, 255),
        contentType: toText(mimeType).slice(0, 255),
        sizeBytes: bytes.length,
        contentId: contentId === undefined ? undefined : toText(contentId),
        content: bytes.toString('base64'),
      }
    }),
  }
}

function countShortLines(raw: Uint8Array): number {
  let count = 0
  for (let start = 0, end = raw.indexOf(10); end !== -1; start = end + 1, end = raw.indexOf(10, start))
    if (end - start < shortLineBytes) count++
  return count
}

async function parse(raw: Uint8Array): Promise<Email> {
  try {
    return await PostalMime.parse(raw, { maxHeadersSize, maxNestingDepth, forceRfc822Attachments: true })
  } catch (error) {
    throw refuse(`The mail cannot be parsed: ${error instanceof Error ? error.message : 'it is malformed'}`)
  }
}

/**
 * Returns the author. Names without an address are parts of the author's name: `Doe, Jane <jane@example.com>` has an
 * unquoted comma.
 */
function readAuthor({ headers }: Email): MailAddress {
  const entries = headers.filter(({ key }) => key === 'from').flatMap(({ value }) => addressParser(value))
  const [author, ...others] = flatten(entries).filter(({ address }) => address !== '')
  if (author === undefined || others.length > 0 || !/^[^\s@]+@[^\s@]+$/.test(author.address)) throw authorRefusal()
  const names = entries.map(({ name }) => toText(name)).filter((name) => name !== '')
  return { address: author.address, name: names.join(', ') }
}

function flatten(addresses: readonly Address[] = []): readonly MailAddress[] {
  return addresses
    .flatMap((one) => (one.group === undefined ? [one] : one.group))
    .map(({ address, name }) => ({ address: toText(address).toLowerCase(), name: toText(name) }))
}

const readIds = (value: string | undefined): string[] => (value ?? '').match(/<[^<>\s]{1,990}>/g)?.map(toText) ?? []

/** Replaces U+0000 and unpaired surrogates, which databases cannot store. */
const toText = (text: string): string => (text.replaceAll('\0', '\u{FFFD}') as Text).toWellFormed()

type Text = string & { toWellFormed(): string }

const refuse = (reason: string): RefusedMailError => new RefusedMailError({ code: 554, message: `5.6.0 ${reason}` })
