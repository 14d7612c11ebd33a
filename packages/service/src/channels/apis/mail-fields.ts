import type { JsonObject } from '@trestle/protocol'
import { isObject, readText } from '../../json/json.ts'

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
 * Returns the addresses of an email field: a string, an object with `address`, or a list of these.
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
 */
export function writeAddresses(value: unknown): string | undefined {
  const list = readAddresses(value).map(({ address, name }) =>
    name === '' ? address : `"${name.replaceAll(/[\\"]/g, '\\$&')}" <${address}>`,
  )
  return list.length === 0 ? undefined : list.join(', ')
}

/**
 * Returns the files of an email.
 *
 * @param mail - The email, in Nodemailer's format.
 */
export function readFiles({ attachments }: JsonObject): readonly MailFile[] {
  const list = Array.isArray(attachments) ? attachments.filter(isObject) : []
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
