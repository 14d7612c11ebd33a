import { decodeEntities } from './html-entities.ts'
import type { HtmlAttribute } from './html-tokens.ts'

const charsets = /^(?:utf-8|us-ascii|iso-8859-\d+|windows-125\d)$/i
const contentType = /^text\/html(?:;\s*charset=["']?([\w-]+)["']?)?$/i

/**
 * Tells whether a `meta` or `link` only describes the document or, for `link`, loads a style sheet over https.
 *
 * @param tag - The element.
 * @param attributes - Its attributes.
 */
export function isSafeMeta(tag: 'meta' | 'link', attributes: readonly HtmlAttribute[]): boolean {
  const find = (wanted: string): string | undefined => {
    const found = attributes.find(({ name }) => name.toLowerCase() === wanted)
    return found && decodeEntities(found.value ?? '').trim()
  }
  if (tag === 'link') {
    return find('rel')?.toLowerCase() === 'stylesheet' && /^https:\/\//i.test(find('href') ?? '')
  }
  const charset = find('charset')
  if (charset !== undefined && !charsets.test(charset)) return false
  const header = find('http-equiv')?.toLowerCase()
  if (header === undefined || header === 'x-ua-compatible') return true
  const type = header === 'content-type' ? contentType.exec(find('content') ?? '') : null
  return type !== null && (type[1] === undefined || charsets.test(type[1]))
}
