import { isObject, type JsonObject } from '@trestle/protocol'
import { readText } from '../../json/json.ts'

/** The attachments of an email, and warnings about omitted ones. */
export interface Attachments {
  /** The attachments, in Nodemailer's format. */
  readonly files: readonly JsonObject[]
  /** Warnings, one sentence per omitted file. */
  readonly warnings: readonly string[]
}

/**
 * Parses the files that a trigger attached to an email: `{ file, name, mime? }`, with `file` in Base64. A file can be
 * restricted to certain channels with a list.
 *
 * @param lists - The trigger's unchecked lists; anything other than a list counts as empty.
 */
export function readAttachments(...lists: readonly unknown[]): Attachments {
  const files: JsonObject[] = []
  const warnings: string[] = []
  for (const attachment of lists.flatMap((list) => (Array.isArray(list) ? list : []))) {
    const { file, name, mime, channels } = isObject(attachment) ? attachment : {}
    if (Array.isArray(channels) && channels.length > 0 && !channels.includes('email')) continue
    const filename = readText(name) ?? 'attachment'
    const content = toBase64(file)
    if (content === undefined) warnings.push(`The attachment "${filename}" was omitted: its file is not Base64 text.`)
    else files.push({ filename, content, encoding: 'base64', ...(readText(mime) ? { contentType: mime } : {}) })
  }
  return { files, warnings }
}

/**
 * Returns a file as plain Base64, because APIs accept neither the URL alphabet nor line breaks. Also accepts a
 * serialized buffer.
 */
function toBase64(file: unknown): string | undefined {
  if (typeof file === 'string')
    return /^[A-Za-z0-9+/_=\s-]*$/.test(file) ? Buffer.from(file, 'base64').toString('base64') : undefined
  if (!isObject(file) || file['type'] !== 'Buffer' || !Array.isArray(file['data'])) return undefined
  if (!file['data'].every((byte) => typeof byte === 'number')) return undefined
  return Buffer.from(file['data']).toString('base64')
}
