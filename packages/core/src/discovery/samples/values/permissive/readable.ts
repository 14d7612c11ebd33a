import { setOwn } from '../../../../base/json.ts'
import { toPromised, toSampleText } from '../sample-text.ts'
import type { Node } from './node.ts'
import { isMethodOnly } from './permissive-methods.ts'

/** How much may be read of what is shown. */
export const maxReads = 20_000
/** What libraries ask of any value, to find out what it is. */
const askedOfAny: ReadonlySet<PropertyKey> = new Set([
  'then',
  'toLiquid',
  '$$typeof',
  '_ctx',
  'nodeType',
  'asymmetricMatch',
])

/**
 * Returns whether a property is not data, and so is missing where data is shown.
 *
 * @param key - The property's name.
 */
export function isNoData(key: PropertyKey): boolean {
  return askedOfAny.has(key)
}

/**
 * Counts a read of a value that is shown.
 *
 * @param node - The value.
 * @throws Error - It was read more than 20 000 times: a loop on it does not end.
 */
export function countRead({ readable }: Node): void {
  if (readable && ++readable.reads > maxReads) throw new Error(`sample data was read more than ${maxReads} times`)
}

/**
 * Returns the text of a value: where code only runs with it one that it does not fail with, `1` most of the time, else
 * what a person reads easily.
 *
 * @param node - The value.
 */
export function toText(node: Node): string {
  const { readable, uses } = node
  if (!readable) return toRunnable(node)
  uses.text = true
  if (readable.text !== undefined) return readable.text
  const { name, suffix } = toLabel(node)
  return toSampleText({}, name, suffix)
}

/** Code fails where an address, a language or a currency is none. */
const runnable: Readonly<Record<string, readonly [string, string]>> = {
  url: ['https://example.com/', 'https://example.com/7'],
  locale: ['en-US', 'de-DE'],
  language: ['en', 'de'],
  currency: ['EUR', 'USD'],
  timezone: ['UTC', 'Asia/Tokyo'],
}

function toRunnable({ name, dictionary, variationSource }: Node): string {
  const promised = dictionary.addresses.has(name) ? 'url' : toPromised(name)
  const [usual, other] = runnable[promised ?? ''] ?? ['1', '7']
  return variationSource.isRenamed ? other : usual
}

/** Items are named after their list. */
function toLabel({ name, parent, path }: Node): { readonly name: string; readonly suffix: string } {
  if (!parent) return { name: path.split('/').at(-1) ?? path, suffix: '' }
  const outer = toLabel(parent)
  if (!/^\d+$/.test(name)) return { name, suffix: outer.suffix }
  const suffix = name === '0' ? outer.suffix : `${outer.suffix}-${Number(name) + 1}`
  return { name: outer.name.replace(/(?<=\w)s$/, ''), suffix }
}

/**
 * Returns a value as plain data: what was read of it, a list where it was used as one, a text where nothing was.
 *
 * @param node - The value.
 * @param nodeOf - Tells the value behind a proxy; `undefined` for any other value.
 */
export function toPlain(node: Node, nodeOf: (value: unknown) => Node | undefined): unknown {
  const plainOf = (value: unknown): unknown => {
    const inner = nodeOf(value)
    return inner ? toPlain(inner, nodeOf) : value
  }
  const { own, uses, parent } = node
  const items = own.get('\0items')
  if (Array.isArray(items) && !uses.text) return items.map(plainOf)
  const plain: Record<string, unknown> = {}
  for (const [key, value] of own) {
    if (typeof key === 'symbol' || key === '\0items' || key === '_ctx' || value === undefined) continue
    const inner = nodeOf(value)
    // Asked of any value by what looks for iterators; as data, more is done with it.
    if (key === 'next' && inner && !inner.uses.text && inner.own.size === 0) continue
    if (!inner?.uses.call && !isMethodOnly(String(key))) setOwn(plain, String(key), plainOf(value))
  }
  return parent && Object.keys(plain).length === 0 ? toText(node) : plain
}
