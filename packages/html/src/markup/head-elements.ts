import { isSafeUrl } from '../base/safe-url.ts'
import { decodeEntities } from './html-entities.ts'
import type { HtmlAttribute } from './html-tokens.ts'

const charsets = /^(?:utf-8|us-ascii|iso-8859-\d+|windows-125\d)$/i
const contentType = /^text\/html(?:;\s*charset=["']?([\w-]+)["']?)?$/i
// Headers without effects.
const headers = new Set(
  'x-ua-compatible content-language content-style-type imagetoolbar cleartype msthemecompatible'.split(' '),
)
// Link relations that load at most a style sheet, a font or an image.
const relations = new Set(
  (
    'stylesheet alternate preconnect dns-prefetch preload icon shortcut apple-touch-icon canonical author license ' +
    'help bookmark next prev index first last home'
  ).split(' '),
)
const preloads = /^(?:style|font|image)$/i

/** Elements in the head of an email that are allowed or removed based on all their attributes. */
export type HeadElement = 'meta' | 'link' | 'base'

/** Returns whether an element is checked by `isSafeHead`. */
export function isHeadElement(name: string): name is HeadElement {
  return name === 'meta' || name === 'link' || name === 'base'
}

/**
 * Returns whether an element only describes the email or, for `link`, loads its styles, fonts or images. A `base` can
 * set the window for links; its address is always removed.
 */
export function isSafeHead(tag: HeadElement, attributes: readonly HtmlAttribute[]): boolean {
  const find = (attributeName: string): string | undefined => {
    const foundAttribute = attributes.find(({ name }) => name.toLowerCase() === attributeName)
    return foundAttribute && decodeEntities(foundAttribute.value ?? '').trim()
  }
  if (tag === 'base') return /^\w+$/.test(find('target') ?? '')
  return tag === 'link' ? isSafeLink(find) : isSafeMeta(find)
}

function isSafeLink(find: (wanted: string) => string | undefined): boolean {
  const tokens = (find('rel') ?? '').toLowerCase().split(/\s+/)
  if (find('rel') === undefined) return find('itemprop') !== undefined && isSafeUrl(find('href') ?? '', 'follow')
  if (!tokens.every((token) => relations.has(token))) return false
  if (tokens.includes('preload') && !preloads.test(find('as') ?? '')) return false
  return isSafeUrl(find('href') ?? '', 'sheet')
}

function isSafeMeta(find: (wanted: string) => string | undefined): boolean {
  const charset = find('charset')
  if (charset !== undefined && !charsets.test(charset)) return false
  const header = find('http-equiv')?.toLowerCase()
  if (header === undefined || headers.has(header)) return true
  const type = header === 'content-type' ? contentType.exec(find('content') ?? '') : null
  return type !== null && (type[1] === undefined || charsets.test(type[1]))
}

/**
 * Returns whether a `script` contains data about the email (JSON-LD), which no client runs.
 *
 * @param attributes - The attributes of the `script`.
 */
export function isDataScript(attributes: readonly HtmlAttribute[]): boolean {
  const types = attributes.filter(({ name }) => name.toLowerCase() === 'type')
  return types.length === 1 && /^\s*application\/ld\+json\s*$/i.test(decodeEntities(types[0]?.value ?? ''))
}

/**
 * Returns the content of a data script with tags escaped.
 *
 * @returns `undefined` if it is not JSON.
 */
export function writeData(text: string): string | undefined {
  try {
    JSON.parse(text)
  } catch {
    return undefined
  }
  // In JSON, both characters occur only in strings.
  return text.replaceAll('<', '\\u003c').replaceAll('>', '\\u003e')
}
