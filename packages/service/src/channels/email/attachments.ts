import type { JsonObject } from '@trestle/protocol'
import { isObject, readText } from '../../json/json.ts'

/** The files of an email, and problems of omitted files. */
export interface Attachments {
  /** The files, in Nodemailer's format. */
  readonly files: readonly JsonObject[]
  /** One sentence per omitted file. */
  readonly warnings: readonly string[]
}

/**
 * Parses the files that a trigger attached to an email: `{ file, name, mime? }`, with `file` in Base64. A list of
 * channels restricts a file to them.
 *
 * @param lists - The unchecked lists of the trigger; anything other than a list counts as empty.
 */
export function readAttachments(...lists: readonly unknown[]): Attachments {
  const files: JsonObject[] = []
  const warnings: string[] = []
  for (const attachment of lists.flatMap((list) => (Array.isArray(list) ? list : []))) {
    const { file, name, mime, channels } = isObject(attachment) ? attachment : {}
    if (Array.isArray(channels) && channels.length > 0 && !channels.includes('email')) continue
    const filename = readText(name) ?? 'attachment'
    const content = toBytes(file)
    if (content === undefined) warnings.push(`The attachment "${filename}" was omitted: its file is not Base64 text.`)
    else files.push({ filename, content, encoding: 'base64', ...(readText(mime) ? { contentType: mime } : {}) })
  }
  return { files, warnings }
}

/** Returns the file in plain Base64. Accepts a serialized buffer. */
function toBytes(file: unknown): string | undefined {
  if (typeof file === 'string') return /^[A-Za-z0-9+/_=\s-]*$/.test(file) ? file : undefined
  if (!isObject(file) || file['type'] !== 'Buffer' || !Array.isArray(file['data'])) return undefined
  if (!file['data'].every((byte) => typeof byte === 'number')) return undefined
  return Buffer.from(file['data']).toString('base64')
}
