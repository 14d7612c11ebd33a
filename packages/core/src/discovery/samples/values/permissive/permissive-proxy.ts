import type { JsonObject } from '@trestle/protocol'
import { madeUp } from '../../../../base/clone-guard.ts'
import { type NearLiterals, noLiterals } from '../../../text/near-literals.ts'
import type { VariationSource } from '../../variation/variation.ts'
import { lengthsAt, valuesAt } from '../literal-values.ts'
import type { Node, Readable } from './node.ts'
import { callMethod, isMethod, isMethodOnly, type MethodSubject } from './permissive-methods.ts'
import { countRead, isNoData, toPlain, toText } from './readable.ts'

const maxDepth = 10
/**
 * The number of list items that can be missing or literals; later items are always present, like those of a longer
 * list.
 */
const maxVariedItems = 2

/** The options of a permissive proxy. */
export interface PermissiveOptions {
  /** Literals from the source text. @default none */
  readonly literals?: NearLiterals
  /** Set if the value is displayed: it is then readable and serializable. @default the value is only used by code */
  readonly readable?: Readable | undefined
  /** The known part of the value. @default none */
  readonly knownData?: JsonObject | undefined
}

/**
 * Creates sample data without a schema: a value that supports property reads, calls, iteration, coercion and the common
 * methods of arrays, strings, numbers and dates. Each property is varied, and can be `undefined` or a literal from the
 * source text.
 *
 * @param variationSource - Selects values and records reads.
 * @param path - The path of the value.
 * @param options - Its literals, and whether it is displayed.
 */
export function createPermissiveProxy(
  variationSource: VariationSource,
  path: string,
  { literals = noLiterals, readable, knownData = {} }: PermissiveOptions = {},
): unknown {
  const own = new Map<PropertyKey, unknown>(Object.entries(knownData))
  const place = { variationSource, literals, path, readable }
  return toProxy({ ...place, depth: 0, parent: undefined, name: '', own, given: new Set(own.keys()), uses: {} })
}

/**
 * Returns the proxy of a value. For code, it is a function without own properties: it can be called, and its spread and
 * entries are empty. For display, it is an object, as data is, unless it is a method.
 */
function toProxy(node: Node): unknown {
  const handler = Object.assign(Object.create(node.readable ? shownTraps : traps), { node }) as ProxyHandler<object>
  if (node.readable && !isMethod(node.name)) return new Proxy({}, handler)
  const target = (): undefined => undefined
  Reflect.deleteProperty(target, 'name')
  Reflect.deleteProperty(target, 'length')
  return new Proxy(target, handler)
}

type Traps = ProxyHandler<object> & ThisType<{ readonly node: Node }>

const traps: Traps = {
  get(_target, key) {
    return key === madeUp ? this.node : read(this.node, key)
  },
  has: (target, key) => typeof key === 'string' && Reflect.isExtensible(target),
  ownKeys: (target) => (Reflect.isExtensible(target) ? [] : Reflect.ownKeys(target)),
  getOwnPropertyDescriptor: () => undefined,
  set(_target, key, value) {
    return setField(this.node, key, value)
  },
  deleteProperty(_target, key) {
    return setField(this.node, key, undefined)
  },
  defineProperty(_target, key, { value }) {
    return setField(this.node, key, value)
  },
  apply(_target, _self, args: unknown[]) {
    return call(this.node, args)
  },
}

/**
 * The proxy traps of a displayed value: only given fields are enumerated. All others are still found by templates,
 * which only read own fields.
 */
const shownTraps: Traps = {
  ...traps,
  ownKeys(target) {
    if (!Reflect.isExtensible(target)) return Reflect.ownKeys(target)
    return [...this.node.given].map((key) => (typeof key === 'number' ? String(key) : key))
  },
  getOwnPropertyDescriptor(target, key) {
    if (!Reflect.isExtensible(target)) return Reflect.getOwnPropertyDescriptor(target, key)
    const { node } = this
    const value = typeof key === 'string' && !isNoData(key) ? read(node, key) : node.own.get(key)
    if (value === undefined) return undefined
    return { value, writable: true, configurable: true, enumerable: node.given.has(key) }
  },
}

function setField({ own, given }: Node, key: PropertyKey, value: unknown): true {
  own.set(key, value)
  if (value === undefined) given.delete(key)
  else if (!isNoData(key)) given.add(key)
  return true
}

function read(node: Node, key: PropertyKey): unknown {
  // Counts known values too, because a loop over sample data must terminate.
  node.variationSource.touch(typeof key === 'string' ? `${node.path}/${key}?` : undefined)
  countRead(node)
  if (node.own.has(key)) return node.own.get(key)
  if (node.readable && isNoData(key)) return undefined
  if (node.readable && key === 'toJSON') return () => toPlain(node)
  if (typeof key === 'symbol') return readSymbol(node, key)
  const name = String(key)
  // An awaited value whose `then` could be called would never settle.
  if (name === 'then') return undefined
  if (name === 'length') return items(node).length
  if (node.depth >= maxDepth) return ''
  // `some` of `payload.items.some(…)` is never absent. Fields of the payload itself may have such names.
  const isCalled = isMethodOnly(name) || (node.depth > 0 && isMethod(name))
  const child = isCalled ? toChild(node, name) : chooseChild(node, name)
  node.own.set(key, child)
  return child
}

function toChild(node: Node, name: string): unknown {
  return toProxy(toNode(node, name))
}

/** Selects a permissive value, `undefined`, or a literal that the function compares the property with. */
function chooseChild(node: Node, name: string): unknown {
  const { variationSource, literals } = node
  const path = `${node.path}/${name}`
  const values = valuesAt(literals, path)
  // A list that must not be empty has items, even in the emptiest sample.
  const isAside = /^\d+$/.test(name)
  const index = variationSource.choose(`${path}?`, 2, { literals: values.length, isAside })
  if (index > 1) return values[index - 2]
  return index === 0 ? toChild(node, name) : undefined
}

function toNode(node: Node, name: string): Node {
  return {
    ...node,
    path: `${node.path}/${name}`,
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

/**
 * Converts a value to text or a number; in a comparison, to 1, a large number or 0. This makes dates, JSON and
 * arithmetic work.
 */
function toPrimitive(node: Node, hint: string): string | number {
  const path = `${node.path}#${hint === 'string' ? 'text' : 'number'}`
  node.variationSource.touch(path)
  // Dates and concatenations use the `default` hint, which accepts either type.
  if (hint === 'string' || (node.readable && hint === 'default')) return toText(node)
  return hint === 'number' ? ([1, 1e6, 0][node.variationSource.choose(path, 3)] ?? 1) : 1
}

function items(node: Node): unknown[] {
  const path = `${node.path}#items`
  const kept = node.own.get('\0items')
  if (Array.isArray(kept)) return kept
  const lengths = lengthsAt(node.literals, path)
  const preferred = node.readable ? 1 : 0
  const index = node.variationSource.choose(path, 3, { literals: lengths.length, isList: true, preferred })
  const count = lengths[index - 3] ?? [1, 2, 0][index] ?? 1
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
  if (node.name === 'toJSON') return toText(parent)
  const subject: MethodSubject = {
    items: () => items(parent),
    self: () => toProxy({ ...parent, own: parent.own }),
    either: (count) => parent.variationSource.choose(`${parent.path}.${node.name}()`, count),
    text: () => toText(parent),
    result: () => toProxy({ ...result, parent: undefined }),
  }
  return callMethod(subject, node.name, args)
}
