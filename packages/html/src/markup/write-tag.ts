import type { HtmlPosition } from '../base/html-position.ts'
import { isSafeSrcset, isSafeUrl } from '../base/safe-url.ts'
import { cleanDeclarations } from '../css/clean-css.ts'
import { isMessageClass } from '../css/message-style.ts'
import { escapeMark } from './escape-mark.ts'
import { isHeadElement, isSafeHead } from './head-elements.ts'
import { decodeEntities, placesInSource } from './html-entities.ts'
import { attributeKind, isVoid } from './html-policy.ts'
import type { HtmlTag } from './html-tokens.ts'
import type { RemovalLog } from './removals.ts'

/** The context of a tag. */
export interface TagWriting {
  /** Where the HTML is displayed. */
  readonly position: HtmlPosition
  /** Records removals. */
  readonly log: RemovalLog
  /** The offset of the HTML in the text whose positions are logged. */
  readonly offset: number
}

const loaded = new Set(['src', 'background', 'poster', 'srcset'])
// A page in a named window, or opened with `opener`, could navigate the app's window.
const namedWindow = /^(?!_(?:blank|self|parent|top)$)./is
const opener = /(?:^|\s)opener(?:\s|$)/i
const runningNamespace = /:time\b|xsl|xbl/i

/**
 * Rewrites a start tag with its allowed attributes.
 *
 * @returns The tag; an empty string for a head element that is not allowed.
 */
export function writeTag(tag: HtmlTag, { position, log, offset }: TagWriting): string {
  const name = tag.name.toLowerCase()
  const at = offset + tag.at
  if (isHeadElement(name) && !isSafeHead(name, tag.attributes)) {
    log.add('element', name, at)
    return ''
  }
  let out = `<${tag.name}`
  const seen = tag.attributes.length > 1 ? new Set<string>() : undefined
  for (const { name: source, value } of tag.attributes) {
    const attribute = source.toLowerCase()
    // If an attribute occurs twice, the first one wins.
    if (seen?.has(attribute)) continue
    seen?.add(attribute)
    const cleanedValue = cleanValue({ tag: name, attribute, value: value ?? '' }, position, (kind, what) =>
      log.add(kind, what, at),
    )
    if (cleanedValue === undefined || (cleanedValue === '' && value !== undefined && value !== '')) continue
    out += value === undefined ? ` ${source}` : ` ${source}="${escapeValue(cleanedValue, position)}"`
  }
  // In in-app HTML, a slash does not close an element that can have content.
  return out + (position === 'inApp' && !isVoid(name) ? '>' : tag.mark)
}

interface Attribute {
  readonly tag: string
  readonly attribute: string
  readonly value: string
}

function cleanValue(
  { tag, attribute, value }: Attribute,
  position: HtmlPosition,
  removed: (kind: Parameters<RemovalLog['add']>[0], name: string) => void,
): string | undefined {
  const kind = attributeKind(tag, attribute, position)
  if (kind === 'text') return value
  const decoded = decodeEntities(value)
  if (kind === 'style') {
    const clean = cleanDeclarations(decoded, position)
    for (const { kind: what, name } of clean.removed) removed(what, name)
    return clean.refused.length === 0 ? value : cutSource(value, clean.refused)
  }
  if (kind === 'url') {
    const isSafe =
      attribute === 'srcset'
        ? isSafeSrcset(decoded, position)
        : isSafeUrl(decoded, loaded.has(attribute) ? 'load' : 'follow', position)
    if (!isSafe) removed('url', attribute)
    return isSafe ? value : undefined
  }
  const stays =
    kind === 'class'
      ? isMessageClass(decoded)
      : kind === 'window'
        ? !(attribute === 'target' ? namedWindow : opener).test(decoded)
        : kind === 'namespace' && !runningNamespace.test(decoded)
  if (!stays) removed('attribute', attribute)
  return stays ? value : undefined
}

function cutSource(value: string, refused: readonly { readonly start: number; readonly end: number }[]): string {
  const places = placesInSource(
    value,
    refused.flatMap(({ start, end }) => [start, end]),
  )
  let out = ''
  let at = 0
  for (let index = 0; index < places.length; index += 2) {
    out += value.slice(at, places[index])
    at = places[index + 1] ?? value.length
  }
  return (out + value.slice(at)).trim()
}

function escapeValue(value: string, position: HtmlPosition): string {
  if (!/["<>]/.test(value)) return value
  return escapeMark(escapeMark(value.replaceAll('"', '&quot;'), '<', position), '>', position)
}
