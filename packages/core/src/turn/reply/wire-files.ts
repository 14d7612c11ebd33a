import { type AgentFile, isObject, parseUrl } from '@trestle/protocol'
import type { ReplyFile } from '../../agent/reply-content.ts'
import { replyLimits } from '../../agent/reply-limits.ts'
import { toBase64 } from '../../base/base64.ts'
import { checkOptions, optionRules } from '../../base/check-options.ts'
import { checkText } from './check-text.ts'

const { anything } = optionRules
const rules = { name: anything, mimeType: anything, url: anything, bytes: anything }
const mediaType = /^[\w.+-]+\/[\w.+-]+(\s*;.*)?$/

/**
 * Returns the files of a reply in wire format.
 *
 * @throws TypeError - There are too many files, one is invalid, or their total size is too large.
 */
export function toWireFiles(files: readonly ReplyFile[]): readonly AgentFile[] {
  const { files: most, fileBytes } = replyLimits
  if (files.length > most) throw new TypeError(`A reply has ${files.length} files; the maximum is ${most}.`)
  let bytes = 0
  return files.map((file: unknown, index) => {
    const what = `A reply: file ${index}`
    const given = isObject(file) ? file : {}
    checkOptions(what, given, rules)
    const { name, mimeType, url, bytes: content } = given
    const isBytes = content instanceof Uint8Array
    if (typeof name !== 'string' || name === '' || isBytes === (typeof url === 'string'))
      throw new TypeError(`${what} must have a name, and either bytes (a Uint8Array) or a url.`)
    const head = {
      name: checkText(`${what}: the name`, name, { max: replyLimits.id }),
      ...(mimeType !== undefined && { mimeType: checkMediaType(what, mimeType) }),
    }
    if (!isBytes) return { ...head, url: checkUrl(what, url) }
    bytes += content.byteLength
    if (bytes > fileBytes)
      throw new TypeError(`The files of a reply have more than ${fileBytes} bytes in total. Send large files by URL.`)
    return { ...head, data: toBase64(content) }
  })
}

function checkMediaType(what: string, given: unknown): string {
  const mimeType = checkText(`${what}: the mimeType`, given, { max: replyLimits.id })
  if (mediaType.test(mimeType)) return mimeType
  throw new TypeError(`${what}: the mimeType must be a media type such as image/png; got ${JSON.stringify(mimeType)}.`)
}

function checkUrl(what: string, given: unknown): string {
  const url = checkText(`${what}: the url`, given, { max: replyLimits.url })
  if (/^https?:$/.test(parseUrl(url)?.protocol ?? '')) return url
  throw new TypeError(`${what}: the url must be an http or https address; got ${JSON.stringify(url.slice(0, 100))}.`)
}
