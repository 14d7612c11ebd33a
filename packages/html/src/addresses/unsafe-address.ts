import type { HtmlPosition } from '../base/html-position.ts'
import { isSafeUrl, toReadUrl } from '../base/safe-url.ts'
import { decodeEntities } from '../markup/html-entities.ts'
import { type HtmlAttribute, readHtml } from '../markup/html-tokens.ts'

/** An address in HTML that runs code when it is followed or loaded, or an attribute that runs a script. */
export interface UnsafeAddress {
  /** The attribute, in lower case. */
  readonly attribute: string
  /** The scheme of the address, in lower case, without its colon; absent for an attribute that runs a script. */
  readonly scheme?: string
}

const followed = new Set(['href', 'xlink:href', 'action', 'formaction', 'ping', 'cite', 'longdesc'])
const loaded = new Set(['src', 'srcset', 'poster', 'background', 'data', 'lowsrc', 'dynsrc', 'manifest', 'codebase'])
const ignore = (): undefined => undefined

/**
 * Returns the first address in HTML whose scheme is not allowed. Addresses without a scheme are allowed.
 *
 * @param html - The rendered HTML.
 * @param position - `email` or `inApp`.
 * @example
 * findUnsafeAddress('<a href="javascript:x">', 'email') // { attribute: 'href', scheme: 'javascript' }
 */
export function findUnsafeAddress(html: string, position: HtmlPosition): UnsafeAddress | undefined {
  for (const danger of dangersOf(html, position)) if (danger.scheme !== undefined) return danger
  return undefined
}

/**
 * Returns the first unsafe address that inserted values added to HTML, or the first added attribute that runs a script,
 * because a value in an unquoted attribute can add one. Addresses that are already in the source are allowed.
 *
 * @param source - The HTML with its placeholders.
 * @param filled - The HTML with the values inserted.
 * @param position - `email` or `inApp`.
 * @example
 * findFilledAddress('<p title={{ x }}>', '<p title=a onclick=b>', 'email') // { attribute: 'onclick' }
 */
export function findFilledAddress(source: string, filled: string, position: HtmlPosition): UnsafeAddress | undefined {
  if (source === filled) return undefined
  const keyOf = ({ attribute, scheme }: UnsafeAddress): string => `${attribute} ${scheme}`
  let written: ReadonlySet<string> | undefined
  for (const danger of dangersOf(filled, position)) {
    written ??= new Set([...dangersOf(source, position)].map(keyOf))
    if (!written.has(keyOf(danger))) return danger
  }
  return undefined
}

/**
 * Describes an unsafe address, as the start of a sentence.
 *
 * @param address - The address or the attribute.
 * @example
 * describeUnsafe({ attribute: 'href', scheme: 'data' }) // 'the address in "href" has the scheme "data:", which is …'
 */
export function describeUnsafe({ attribute, scheme }: UnsafeAddress): string {
  const name = attribute.slice(0, 50)
  if (scheme === undefined)
    return `the attribute "${name}" runs a script and came with a value that needs quotes around it`
  return `the address in "${name}" has the scheme "${scheme.slice(0, 50)}:", which is not allowed there`
}

function* dangersOf(html: string, position: HtmlPosition): Generator<UnsafeAddress> {
  for (const { name, value = '' } of attributesOf(html)) {
    const attribute = name.toLowerCase()
    if (attribute.startsWith('on')) yield { attribute }
    if (!followed.has(attribute) && !loaded.has(attribute)) continue
    const use = followed.has(attribute) ? 'follow' : 'load'
    const decoded = decodeEntities(value)
    for (const address of attribute === 'srcset' ? decoded.split(/,\s|\s+/) : [decoded]) {
      const scheme = isSafeUrl(address, use, position) ? undefined : schemeOf(address)
      if (scheme !== undefined) yield { attribute, scheme }
    }
  }
}

/**
 * Returns the scheme of an address. An unsafe URL that starts with a slash is a network share path. URLs without a
 * scheme are relative.
 */
function schemeOf(address: string): string | undefined {
  const url = toReadUrl(address)
  return /^([a-z][a-z0-9+.-]*):/i.exec(url)?.[1]?.toLowerCase() ?? (/^[\\/]/.test(url) ? 'file' : undefined)
}

/**
 * Returns the attributes of all tags. Includes comments, because some mail clients read Office's conditional comments.
 * Includes an unclosed tag at the end, because a provider may append to the text.
 */
function attributesOf(html: string): readonly HtmlAttribute[] {
  const allAttributes: HtmlAttribute[] = []
  const parts: string[] = []
  const read = (text: string, isWhole: boolean): void =>
    readHtml(text, {
      ...{ text: ignore, raw: ignore, end: ignore, declaration: ignore },
      start({ attributes }) {
        for (const attribute of attributes) allAttributes.push(attribute)
      },
      // Removes markers that could start another comment, so that the parts are not split again.
      comment: (inner) => void parts.push(inner.replaceAll('<!', ' ')),
      unfinished: (at) => void (isWhole && parts.push(...['>', '">', "'>"].map((end) => `${text.slice(at)}${end}`))),
    })
  read(html, true)
  for (const part of parts.splice(0)) read(part, false)
  return allAttributes
}
