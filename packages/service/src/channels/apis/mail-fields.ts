import { isObject, type JsonObject } from '@trestle/protocol'
import addressparser from 'nodemailer/lib/addressparser'
import { detectExtension, detectMimeType } from 'nodemailer/lib/mime-funcs'
import { readText, toObject, toObjects } from '../../json/json.ts'

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
  /** The id with which the body refers to the file, as in `cid:logo`. */
  readonly cid: string | undefined
  /** Whether the file is shown in the body. */
  readonly isInline: boolean
}

/**
 * Returns the addresses in an email field: a string with addresses, an address with a name, a group, or a list of these.
 *
 * @param value - The field, in Nodemailer's format.
 */
export function readAddresses(value: unknown): readonly MailAddress[] {
  return [value].flat(2).flatMap((item): readonly MailAddress[] => {
    if (typeof item === 'string') return parseAddresses(item)
    const { group, address, name } = toObject(item)
    if (group !== undefined) return readAddresses(group)
    const text = readText(address)
    return text === undefined ? [] : [{ address: text, name: toLine(readText(name) ?? '') }]
  })
}

/** Keeps invalid addresses, so that the provider rejects them. */
function parseAddresses(text: string): readonly MailAddress[] {
  const list = addressparser(text, { flatten: true })
  return list.map(({ address, name }) => (address === '' ? { address: name, name: '' } : { address, name }))
}

/**
 * Returns addresses as one string, such as `"Ada" <ada@example.org>, bob@example.org`.
 *
 * @param value - The field, in Nodemailer's format.
 * @param writeName - Returns a name in its written form. @default in quotation marks
 */
export function writeAddresses(value: unknown, writeName: (name: string) => string = quote): string | undefined {
  const list = listAddresses(value, writeName)
  return list.length === 0 ? undefined : list.join(', ')
}

/** Returns addresses as strings, one each, such as `"Ada" <ada@example.org>`. */
export function listAddresses(value: unknown, writeName: (name: string) => string = quote): readonly string[] {
  return readAddresses(value).map(({ address, name }) => (name === '' ? address : `${writeName(name)} <${address}>`))
}

const quote = (name: string): string => `"${name.replaceAll(/[\\"]/g, '\\$&')}"`

/** Returns a name without quotation marks, unless it has signs that require them. */
export function toPlainName(name: string): string {
  return /^[\p{L}\p{M}\p{N} !#$%&'*+/=?^_`{|}~-]*$/u.test(name) ? name : quote(name)
}

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

const unknownType = 'application/octet-stream'

/**
 * Returns the attachments of an email.
 *
 * @param mail - The email, in Nodemailer's format.
 */
export function readFiles({ attachments }: JsonObject): readonly MailFile[] {
  return toObjects([attachments].flat()).map(({ filename, content, contentType, cid, contentDisposition }, index) => {
    const type = readText(contentType) ?? detectMimeType(readText(filename) ?? '')
    const id = readText(cid)?.replaceAll(/[<>]/g, '')
    return {
      name: readText(filename) ?? `attachment-${index + 1}.${type === unknownType ? 'bin' : detectExtension(type)}`,
      content: Buffer.from(Buffer.isBuffer(content) ? content : (readText(content) ?? '')).toString('base64'),
      type,
      cid: id,
      // Providers ignore the id of other files.
      isInline: id !== undefined || /^inline\b/i.test(readText(contentDisposition) ?? ''),
    }
  })
}

/**
 * Returns the text of a body or a subject.
 *
 * @param value - The field: a text, a buffer, or an object with one of these as `content`.
 */
export function readBody(value: unknown): string | undefined {
  if (Buffer.isBuffer(value)) return value.toString()
  if (isObject(value)) return readBody(value['content'])
  return typeof value === 'string' ? value : undefined
}

/**
 * Returns the additional headers of an email. A header with several values occurs several times.
 *
 * @param mail - The email, in Nodemailer's format.
 */
export function readHeaders({ headers }: JsonObject): readonly (readonly [name: string, value: string])[] {
  const entries = Array.isArray(headers)
    ? toObjects(headers).map(({ key, value }) => [String(key), value] as const)
    : Object.entries(toObject(headers))
  return entries.flatMap(([name, given]) =>
    [given].flat().flatMap((one) => {
      const value = toLine(readText(isObject(one) ? one['value'] : one) ?? '')
      return value === '' ? [] : [[name, value] as const]
    }),
  )
}

/** Replaces line breaks, which would start another header. */
const toLine = (text: string): string => text.replaceAll(/[\r\n]+[ \t]*/g, ' ').trim()
