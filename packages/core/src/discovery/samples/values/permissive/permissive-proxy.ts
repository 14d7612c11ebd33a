import type { JsonObject } from '@trestle/protocol'
import { type Dictionary, noDictionary } from '../../../dictionary/dictionary.ts'
import type { VariationSource } from '../../variation/variation.ts'
import { maxItems, toLengthVariants, toUnknownVariants } from '../literal-variants.ts'
import { toFieldPath } from '../place-name.ts'
import type { ToField } from '../sample-location.ts'
import { toTypedValues } from '../typed-values.ts'
import { createProxies, nodeOf } from './create-proxies.ts'
import { fieldsOf, toJsonLeaf } from './fields.ts'
import type { Node, Readable } from './node.ts'
import { callMethod, isCalled, isMethodOnly, type MethodSubject } from './permissive-methods.ts'
import { countRead, isNoData, toPlain, toText } from './readable.ts'
import { toPrimitive } from './to-primitive.ts'

const maxDepth = 10
/** So many items of a list may be missing or literals; those behind them are there, like the others of a longer list. */
const maxVariedItems = 2

/** How a permissive proxy is made. */
export interface PermissiveOptions {
  /** The literals of the source text. @default none */
  readonly dictionary?: Dictionary
  /** Set where the value is shown to a person: it then reads well and can be sent as JSON. @default it is run with */
  readonly readable?: Readable
  /** What is known of it. @default nothing */
  readonly known?: JsonObject
  /** Makes its fields. @default each is anything */
  readonly toField?: ToField | undefined
}

/**
 * Creates sample data where there is no schema: a value that answers property reads, calls, iteration, coercion and the
 * usual methods of arrays, strings, numbers and dates. Each property is a place that may also be `undefined`, or one of
 * the literals of the source text.
 *
 * @param variationSource - Chooses and remembers what was read.
 * @param path - The place.
 * @param options - Its literals, and whether it is shown.
 */
export function createPermissiveProxy(
  variationSource: VariationSource,
  path: string,
  { dictionary = noDictionary, readable, known = {}, toField }: PermissiveOptions = {},
): unknown {
  return proxyOf({ readable, name: '' }, () => {
    const own = new Map<PropertyKey, unknown>(Object.entries(known))
    const given = new Set(own.keys())
    const place = { variationSource, dictionary, path, readable, toField }
    return { ...place, depth: 0, parent: undefined, name: '', own, given, uses: {} }
  })
}

/**
 * Returns what was read of a permissive proxy as plain data.
 *
 * @param proxy - A proxy that is shown.
 */
export function toPlainData(proxy: unknown): unknown {
  const node = nodeOf(proxy)
  if (!node) return proxy
  readCopied(node)
  return toPlain(node, nodeOf)
}

/** What is shown then has the fields that copies of it have. */
function readCopied(node: Node): void {
  for (const name of node.readable?.copied?.() ?? []) read(node, name)
}

const proxyOf = createProxies({ read, has, fields: fieldsOf, call })

function toProxy(node: Node): unknown {
  return proxyOf(node, node)
}

function read(node: Node, key: PropertyKey): unknown {
  // Also where the answer is known: a loop on sample data must come to an end.
  node.variationSource.touch(typeof key === 'string' ? `${node.path}/${key}?` : undefined)
  countRead(node)
  if (node.own.has(key)) return node.own.get(key)
  if (node.readable && isNoData(key)) return undefined
  if (node.readable && key === 'toJSON')
    return (name: unknown) => {
      if (isWhole(node, name)) readCopied(node)
      return toPlain(node, nodeOf)
    }
  if (typeof key === 'symbol') return readSymbol(node, key)
  const name = String(key)
  // An awaited value whose `then` could be called would never settle.
  if (name === 'then') return undefined
  if (name === 'length') return items(node).length
  if (node.depth >= maxDepth) return ''
  const child = isCalled(node, name) ? toChild(node, name) : chooseChild(node, name)
  node.own.set(key, child)
  return child
}

function has(node: Node, name: string): boolean {
  if (node.readable || !node.dictionary.asksForFields || isMethodOnly(name)) return true
  return read(node, name) !== undefined
}

function toChild(node: Node, name: string): unknown {
  return toProxy(toNode(node, name))
}

/** What its schema says; else anything, nothing, or a value of a type that the source text asks for. */
function chooseChild(node: Node, name: string): unknown {
  const { variationSource, dictionary, toField } = node
  if (toField) return toField(name)
  const path = toFieldPath(node.path, name, dictionary)
  const variants: (() => unknown)[] = [
    () => toChild(node, name),
    ...toTypedValues(dictionary, () => items(toNode(node, name))),
    () => undefined,
  ]
  const literals = dictionary === noDictionary ? [] : toUnknownVariants(dictionary, path)
  const index = variationSource.choose(`${path}?`, variants.length, { literals })
  const set = variationSource.textAt?.(`${path}?`)
  const literal = literals[index - variants.length]
  const value = set ?? (literal ? literal.value : variants[index]?.())
  // What stands for anything, and what is absent, could be a text.
  if (typeof value === 'string') variationSource.note?.(`${path}?`, { text: value })
  else if (value === undefined || nodeOf(value)) variationSource.note?.(`${path}?`, {})
  return value
}

function toNode(node: Node, name: string): Node {
  return {
    ...node,
    path: toFieldPath(node.path, name, node.dictionary),
    toField: undefined,
    depth: node.depth + 1,
    parent: node,
    name,
    own: new Map(),
    given: new Set(),
    uses: {},
  }
}

function readSymbol(node: Node, key: symbol): unknown {
  if (key === Symbol.toPrimitive) return (hint: string) => toPrimitive(node, hint)
  if (key === Symbol.iterator) return () => items(node)[Symbol.iterator]()
  if (key === Symbol.asyncIterator)
    return async function* iterate() {
      yield* items(node)
    }
  return undefined
}

function items(node: Node): unknown[] {
  const path = `${node.path}#items`
  const kept = node.own.get('\0items')
  if (Array.isArray(kept)) {
    // Read once more, by code that another place has led to: its length is then tried together with that place.
    node.variationSource.touch(path)
    return kept
  }
  const literals = toLengthVariants(node.dictionary, path, { low: 0, high: maxItems })
  const preferred = node.readable ? 1 : 0
  const index = node.variationSource.choose(path, 3, { literals, isList: true, preferred })
  const count = literals[index - 3]?.value ?? [1, 2, 0][index] ?? 1
  const list = Array.from({ length: node.depth >= maxDepth ? 0 : count }, (_, at) => {
    if (at >= maxVariedItems && !node.own.has(`${at}`)) node.own.set(`${at}`, toChild(node, `${at}`))
    return read(node, `${at}`)
  }).filter((item) => item !== undefined)
  node.own.set('\0items', list)
  return list
}

function call(node: Node, args: readonly unknown[]): unknown {
  const { parent, uses } = node
  uses.call = true
  const own = { own: new Map<PropertyKey, unknown>(), given: new Set<PropertyKey>(), uses: {} }
  const result: Node = { ...node, ...own, path: `${node.path}()`, depth: node.depth + 1 }
  if (!parent) return toProxy(result)
  if (node.name === 'toJSON') return toJson(parent, args[0])
  const subject: MethodSubject = {
    items: () => items(parent),
    self: () => toProxy({ ...parent, own: parent.own }),
    either: (count) => parent.variationSource.choose(`${parent.path}.${node.name}()`, count),
    text: () => toText(parent),
    result: () => toProxy({ ...result, parent: undefined }),
  }
  return callMethod(subject, node.name, args)
}

/** A copy by way of JSON has the fields that are read of it. */
function toJson(node: Node, name: unknown): unknown {
  const { copied } = node.dictionary
  if (!isWhole(node, name) || copied.size === 0) return toJsonLeaf(node)
  return Object.fromEntries([...copied].map((field) => [field, read(node, field)]))
}

/** JSON asks what it is given by an empty name, and what lies within by the name that it has there. */
function isWhole({ parent, uses }: Node, name: unknown): boolean {
  return !parent || (name === '' && !uses.text)
}
