import type { HtmlPosition } from '../base/html-position.ts'
import { isSafeUrl, toReadUrl } from '../base/safe-url.ts'
import { decodeEntities } from '../markup/html-entities.ts'
import { type HtmlAttribute, readHtml } from '../markup/html-tokens.ts'

/** An address in HTML that runs something when it is followed or loaded, or an attribute that runs a script. */
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
 * Returns the first address of HTML that is not of an allowed scheme. Addresses without a scheme are fine.
 *
 * @param html - The HTML, as it was rendered.
 * @param position - `email` or `inApp`.
 * @example
 * findUnsafeAddress('<a href="javascript:x">', 'email') // { attribute: 'href', scheme: 'javascript' }
 */
export function findUnsafeAddress(html: string, position: HtmlPosition): UnsafeAddress | undefined {
  for (const found of dangersOf(html, position)) if (found.scheme !== undefined) return found
  return undefined
}

/**
 * Returns the first such address that came into HTML when it was filled in, or the first attribute that runs a script: a
 * value without quotes can bring one. Addresses that the author of the HTML wrote are allowed.
 *
 * @param source - The HTML before, with the places of what was filled in.
 * @param filled - The HTML after.
 * @param position - `email` or `inApp`.
 * @example
 * findFilledAddress('<p title={{ x }}>', '<p title=a onclick=b>', 'email') // { attribute: 'onclick' }
 */
export function findFilledAddress(source: string, filled: string, position: HtmlPosition): UnsafeAddress | undefined {
  if (source === filled) return undefined
  const keyOf = ({ attribute, scheme }: UnsafeAddress): string => `${attribute} ${scheme}`
  let written: ReadonlySet<string> | undefined
  for (const found of dangersOf(filled, position)) {
    written ??= new Set([...dangersOf(source, position)].map(keyOf))
    if (!written.has(keyOf(found))) return found
  }
  return undefined
}

/**
 * Returns what is wrong with it, as the beginning of a sentence.
 *
 * @param found - The address or the attribute.
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

/** An unsafe URL that begins with a slash is the path of a share on another machine. One without any scheme is relative. */
function schemeOf(address: string): string | undefined {
  const url = toReadUrl(address)
  return /^([a-z][a-z0-9+.-]*):/i.exec(url)?.[1]?.toLowerCase() ?? (/^[\\/]/.test(url) ? 'file' : undefined)
}

/**
 * The attributes of all tags. Comments count, because some mail clients read the conditional comments of Office. A tag that the
 * text does not close counts, because a provider may append to the text.
 */
function attributesOf(html: string): readonly HtmlAttribute[] {
  const found: HtmlAttribute[] = []
  const parts: string[] = []
  const read = (text: string, isWhole: boolean): void =>
    readHtml(text, {
      ...{ text: ignore, raw: ignore, end: ignore, declaration: ignore },
      start: ({ attributes }) => void found.push(...attributes),
      // Without a mark that could begin another comment, so that no part has parts.
      comment: (inner) => void parts.push(inner.replaceAll('<!', ' ')),
      unfinished: (at) => void (isWhole && parts.push(...['>', '">', "'>"].map((end) => `${text.slice(at)}${end}`))),
    })
  read(html, true)
  for (const part of parts.splice(0)) read(part, false)
  return found
}
