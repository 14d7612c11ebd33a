import { isObject, type JsonObject } from '@trestle/protocol'
import { readText, toObjects } from '../../json/json.ts'

/** An address with a name. */
export interface MailAddress {
  readonly address: string
  /** The display name; empty if there is none. */
  readonly name: string
}

export interface MailFile {
  readonly name: string
  /** The content, in Base64. */
  readonly content: string
  readonly type: string
}

/**
 * Returns the addresses in an email field: a string, an object with `address`, or a list of these.
 *
 * @param value - The field, in Nodemailer's format.
 */
export function readAddresses(value: unknown): readonly MailAddress[] {
  return [value].flat(2).flatMap((item) => {
    if (isObject(item)) return [{ address: String(item['address'] ?? ''), name: String(item['name'] ?? '') }]
    return readText(item) === undefined ? [] : [{ address: String(item), name: '' }]
  })
}

/**
 * Returns addresses as one string, such as `"Ada" <ada@example.org>, bob@example.org`.
 *
 * @param value - The field, in Nodemailer's format.
 * @param writeName - Returns a name in its written form. @default in quotation marks
 */
export function writeAddresses(value: unknown, writeName: (name: string) => string = quote): string | undefined {
  const list = readAddresses(value).map(({ address, name }) =>
    name === '' ? address : `${writeName(name)} <${address}>`,
  )
  return list.length === 0 ? undefined : list.join(', ')
}

const quote = (name: string): string => `"${name.replaceAll(/[\\"]/g, '\\$&')}"`

/** The number of characters in one encoded word, whose length is limited; each character has up to four bytes. */
const wordCharacters = 10

/** Returns a name in ASCII: quoted, or in the encoding of mail headers. */
export function toEncodedWord(name: string): string {
  if (/^[\x20-\x7e]*$/.test(name)) return quote(name)
  const characters = [...name]
  const count = Math.ceil(characters.length / wordCharacters)
  const parts = Array.from({ length: count }, (_, index) =>
    characters.slice(index * wordCharacters, (index + 1) * wordCharacters).join(''),
  )
  return parts.map((part) => `=?UTF-8?B?${Buffer.from(part).toString('base64')}?=`).join(' ')
}

/**
 * Returns the attachments of an email.
 *
 * @param mail - The email, in Nodemailer's format.
 */
export function readFiles({ attachments }: JsonObject): readonly MailFile[] {
  const list = toObjects(attachments)
  return list.map(({ filename, content, encoding, contentType }) => ({
    name: readText(filename) ?? 'attachment',
    content: encoding === 'base64' ? String(content) : Buffer.from(String(content ?? '')).toString('base64'),
    type: readText(contentType) ?? 'application/octet-stream',
  }))
}

/**
 * Returns the additional headers of an email.
 *
 * @param mail - The email, in Nodemailer's format.
 */
export function readHeaders({ headers }: JsonObject): readonly (readonly [name: string, value: string])[] {
  return isObject(headers) ? Object.entries(headers).map(([name, value]) => [name, String(value)]) : []
}
