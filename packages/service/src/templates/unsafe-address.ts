/** An address in HTML that runs something when it is followed or loaded, or an attribute that does so by itself. */
export interface UnsafeAddress {
  /** The attribute, in lower case. */
  readonly attribute: string
  /** The scheme of the address, in lower case, without its colon; absent for an attribute that runs a script. */
  readonly scheme?: string
}

const followed = new Set(['href', 'xlink:href', 'action', 'formaction', 'ping', 'cite', 'longdesc'])
const loaded = new Set(['src', 'srcset', 'poster', 'background', 'data', 'lowsrc', 'dynsrc', 'manifest', 'codebase'])
const common = ['http', 'https', 'mailto', 'tel', 'sms']
const allowed: Readonly<Record<HtmlPlace, ReadonlySet<string>>> = {
  in_app: new Set(common),
  email: new Set([...common, 'cid', 'mid', 'ftp', 'geo', 'xmpp', 'webcal', 'sip', 'sips', 'callto', 'facetime', 'im']),
}
/** What no app of a recipient answers to, though it may look like a link into one (`myapp://…`). */
const neverAnApp =
  /^(?:(?:java|vb|live|j)script|mocha|data|file|blob|filesystem|about|jar|view-source|intent|smb|afp|ms-.*)$/
const picture = /^data:image\/(?:png|gif|jpe?g|webp|avif|bmp|x-icon)[;,]/i
// Browsers take control characters and spaces in front away, and tabs and line ends anywhere.
const ignored = /[\u0000-\u0020\u007f-\u00a0\u00ad\u200b-\u200f\u2028-\u202e\u2060-\u2064\ufeff]/g
const named: Readonly<Record<string, string>> = { colon: ':', tab: '', newline: '', amp: '&', sol: '/', bsol: '\\' }

/** Where HTML is shown: a mail is a document of its own, an in-app message lies within the app's page. */
export type HtmlPlace = 'email' | 'in_app'

/**
 * Returns the first address of HTML that is not of an allowed scheme. Addresses without a scheme are fine.
 *
 * @param html - The HTML, as it was rendered.
 * @param place - Where it is shown.
 */
export function findUnsafeAddress(html: string, place: HtmlPlace): UnsafeAddress | undefined {
  for (const found of dangersOf(html, place)) if (found.scheme !== undefined) return found
  return undefined
}

/**
 * Returns the first such address that came into HTML when it was filled in, or the first attribute that runs a script: a
 * value without quotes can bring one. What the HTML's author wrote is the author's.
 *
 * @param source - The HTML before, with the places of what was filled in.
 * @param filled - The HTML after.
 * @param place - Where it is shown.
 */
export function findFilledAddress(source: string, filled: string, place: HtmlPlace): UnsafeAddress | undefined {
  if (source === filled) return undefined
  const keyOf = ({ attribute, scheme }: UnsafeAddress): string => `${attribute} ${scheme}`
  let written: ReadonlySet<string> | undefined
  for (const found of dangersOf(filled, place)) {
    written ??= new Set([...dangersOf(source, place)].map(keyOf))
    if (!written.has(keyOf(found))) return found
  }
  return undefined
}

/**
 * Returns what is wrong with it, as the beginning of a sentence.
 *
 * @param found - The address or the attribute.
 */
export function describeUnsafe({ attribute, scheme }: UnsafeAddress): string {
  const name = attribute.slice(0, 50)
  if (scheme === undefined)
    return `the attribute "${name}" runs a script and came with a value that needs quotes around it`
  return `the address in "${name}" has the scheme "${scheme.slice(0, 50)}:", which is not allowed there`
}

function* dangersOf(html: string, place: HtmlPlace): Generator<UnsafeAddress> {
  for (const { name, value } of attributesOf(html)) {
    if (name.startsWith('on')) yield { attribute: name }
    if (!followed.has(name) && !loaded.has(name)) continue
    const addresses = name === 'srcset' ? value.split(/,\s|\s+/) : [value]
    for (const address of addresses) {
      const scheme = findUnsafeScheme(decode(address).replace(ignored, ''), { place, isLoaded: loaded.has(name) })
      if (scheme !== undefined) yield { attribute: name, scheme }
    }
  }
}

function findUnsafeScheme(
  address: string,
  { place, isLoaded }: { readonly place: HtmlPlace; readonly isLoaded: boolean },
): string | undefined {
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(address)?.[1]?.toLowerCase()
  if (scheme === undefined || allowed[place].has(scheme)) return undefined
  if (isLoaded && picture.test(address)) return undefined
  const isApp = address.startsWith('//', scheme.length + 1)
  return place === 'email' && isApp && !neverAnApp.test(scheme) ? undefined : scheme
}

function decode(text: string): string {
  return text
    .replace(/&#x([0-9a-f]+);?/gi, (_all, digits) => toCharacter(Number.parseInt(digits, 16)))
    .replace(/&#(\d+);?/g, (_all, digits) => toCharacter(Number(digits)))
    .replace(/&(colon|tab|newline|amp|sol|bsol);?/gi, (_all, name) => named[String(name).toLowerCase()] ?? '')
}

const toCharacter = (code: number): string => (code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : '')

const comment = /<!--([\s\S]*?)(?:--!?>|$)/g

interface Attribute {
  readonly name: string
  readonly value: string
}

/** The attributes of all tags, those in comments too: some mail clients read what a condition of Office hides. */
function* attributesOf(html: string): Generator<Attribute> {
  const comments: string[] = []
  const rest = html.replace(comment, (_all, inner: string) => {
    comments.push(inner)
    return ' '
  })
  for (const part of [rest, ...comments]) yield* attributesOfTags(part)
}

function* attributesOfTags(html: string): Generator<Attribute> {
  const tag = /<[a-z][^\s/>]*/gi
  const attribute = /[\s/]*(?:(>)|([^\s/>][^\s/>=]*)(?:\s*=\s*(?:"([^"]*)"?|'([^']*)'?|([^\s"'>][^\s>]*)?))?)/gy
  while (tag.exec(html) !== null) {
    attribute.lastIndex = tag.lastIndex
    for (let found = attribute.exec(html); found !== null && found[1] === undefined; found = attribute.exec(html)) {
      const [, , name = '', double, single, bare] = found
      tag.lastIndex = attribute.lastIndex
      yield { name: name.toLowerCase(), value: double ?? single ?? bare ?? '' }
    }
  }
}
