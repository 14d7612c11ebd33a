import { setOwn } from '@trestle/protocol'
import { madeUp } from '../../../../base/clone-guard.ts'
import { toPromised, toSampleText } from '../sample-text.ts'
import type { Node } from './node.ts'
import { isMethodOnly } from './permissive-methods.ts'

/** The maximum number of reads of a displayed value. */
export const maxReads = 20_000
/** Properties that libraries read from any value to detect its type. */
const askedOfAny: ReadonlySet<PropertyKey> = new Set('then toLiquid $$typeof _ctx nodeType asymmetricMatch'.split(' '))

/**
 * Returns whether a property is not data, so that displayed data does not have it.
 *
 * @param key - The name of the property.
 */
export function isNoData(key: PropertyKey): boolean {
  return askedOfAny.has(key)
}

/**
 * Counts a read of a displayed value.
 *
 * @param node - The displayed value.
 * @throws Error - It was read more than 20,000 times: a loop on it does not end.
 */
export function countRead({ readable }: Node): void {
  if (readable && ++readable.reads > maxReads) throw new Error(`sample data was read more than ${maxReads} times`)
}

/**
 * Returns the text of a value: for code usually `1`, which works in most cases, and for display a readable text.
 *
 * @param node - The value.
 */
export function toText(node: Node): string {
  if (!node.readable) return runnable[toPromised(node.name) ?? ''] ?? '1'
  node.uses.text = true
  const { name, suffix } = toLabel(node)
  return toSampleText({}, name, suffix)
}

/** Valid values for formats, such as an address, a language or a currency, because code would fail on other values. */
const runnable: Readonly<Record<string, string>> = {
  url: 'https://example.com/',
  locale: 'en-US',
  language: 'en',
  currency: 'EUR',
  timezone: 'UTC',
}

/** Returns the name for a label; items are named after their list. */
function toLabel({ name, parent, path }: Node): { readonly name: string; readonly suffix: string } {
  if (!parent) return { name: path.split('/').at(-1) ?? path, suffix: '' }
  const outer = toLabel(parent)
  if (!/^\d+$/.test(name)) return { name, suffix: outer.suffix }
  const suffix = name === '0' ? outer.suffix : `${outer.suffix}-${Number(name) + 1}`
  return { name: outer.name.replace(/(?<=\w)s$/, ''), suffix }
}

/**
 * Returns a value as plain data: the parts that were read, a list if it was used as one, text if nothing was read.
 *
 * @param node - The value.
 */
export function toPlain(node: Node): unknown {
  const { own, uses, parent } = node
  const plainOf = (value: unknown): unknown => {
    const inner = nodeOf(value)
    return inner ? toPlain(inner) : value
  }
  const items = own.get('\0items')
  if (Array.isArray(items) && !uses.text) return items.map(plainOf)
  const plain: Record<string, unknown> = {}
  for (const [key, value] of own) {
    if (typeof key === 'symbol' || key === '\0items' || key === '_ctx' || value === undefined) continue
    const inner = nodeOf(value)
    // `next` is read from any value when looking for iterators; real data is also used in other ways.
    if (key === 'next' && inner && !inner.uses.text && inner.own.size === 0) continue
    if (!inner?.uses.call && !isMethodOnly(String(key))) setOwn(plain, String(key), plainOf(value))
  }
  return parent && Object.keys(plain).length === 0 ? toText(node) : plain
}

/** Returns the node of a proxy; `undefined` for other values. */
function nodeOf(value: unknown): Node | undefined {
  if ((typeof value !== 'object' || value === null) && typeof value !== 'function') return undefined
  try {
    return (value as { readonly [madeUp]?: Node })[madeUp]
  } catch {
    // An unreadable object from the app is not a proxy.
    return undefined
  }
}
