import { type Dictionary, noDictionary } from '../../../dictionary/dictionary.ts'
import { toLengthVariants, toNumberVariants, toTextVariants } from '../literal-variants.ts'
import type { VariationSource } from '../variation.ts'
import { callMethod, isMethodOnly, type MethodSubject } from './permissive-methods.ts'
import { type RawValue, toTypedValues } from './typed-values.ts'

const maxDepth = 10
const maxItems = 100
/** So many items of a list may be missing or literals; those behind them are there, like the others of a longer list. */
const maxVariedItems = 2

/** The state behind a permissive proxy. */
interface Node {
  readonly variationSource: VariationSource
  readonly dictionary: Dictionary
  readonly path: string
  readonly depth: number
  /** The value it is a property of, and under which name; for calls. */
  readonly parent: Node | undefined
  readonly name: string
  /** Properties that code has set. */
  readonly own: Map<PropertyKey, unknown>
}

/**
 * Creates sample data where there is no schema: a value that answers property reads, calls, iteration, coercion and the
 * usual methods of arrays, strings, numbers and dates. Each property is a place that may also be `undefined`, or one of
 * the literals of the source text.
 *
 * @param variationSource - Chooses and remembers what was read.
 * @param path - The place.
 * @param dictionary - The literals. @default none
 */
export function createPermissiveProxy(
  variationSource: VariationSource,
  path: string,
  dictionary: Dictionary = noDictionary,
): unknown {
  return toProxy({ variationSource, dictionary, path, depth: 0, parent: undefined, name: '', own: new Map() })
}

function toProxy(node: Node): unknown {
  // A function without own properties: it can be called, and its spread and its entries are empty.
  const target = (): undefined => undefined
  Reflect.deleteProperty(target, 'name')
  Reflect.deleteProperty(target, 'length')
  return new Proxy(target, {
    get: (_target, key) => read(node, key),
    has: (frozen, key) => typeof key === 'string' && Reflect.isExtensible(frozen),
    set: (_target, key, value) => {
      node.own.set(key, value)
      return true
    },
    deleteProperty: (_target, key) => {
      node.own.set(key, undefined)
      return true
    },
    defineProperty: (_target, key, { value }) => {
      node.own.set(key, value)
      return true
    },
    apply: (_target, _self, args: unknown[]) => call(node, args),
  })
}

function read(node: Node, key: PropertyKey): unknown {
  // Also where the answer is known: a loop on sample data must come to an end.
  node.variationSource.touch(typeof key === 'string' ? `${node.path}/${key}?` : undefined)
  if (node.own.has(key)) return node.own.get(key)
  if (typeof key === 'symbol') return readSymbol(node, key)
  const name = String(key)
  // An awaited value whose `then` could be called would never settle.
  if (name === 'then') return undefined
  if (name === 'length') return items(node).length
  if (node.depth >= maxDepth) return ''
  const child = isMethodOnly(name) ? toChild(node, name) : chooseChild(node, name)
  node.own.set(key, child)
  return child
}

function toChild(node: Node, name: string): unknown {
  return toProxy(toNode(node, name))
}

/** Anything, nothing, or a value of a type that the source text asks for. */
function chooseChild(node: Node, name: string): unknown {
  const { variationSource, dictionary } = node
  const path = `${node.path}/${name}`
  const typed = toTypedValues(dictionary)
  const variants: (() => unknown)[] = [
    () => toChild(node, name),
    ...typed.map((raw) => () => toRaw(node, name, raw)),
    () => undefined,
  ]
  const literals = dictionary === noDictionary ? [] : toLiterals(dictionary, path)
  const index = variationSource.choose(`${path}?`, variants.length, { literals })
  const literal = literals[index - variants.length]
  return literal ? literal.value : variants[index]?.()
}

function toLiterals(dictionary: Dictionary, path: string): ReturnType<typeof toTextVariants> {
  // What stands behind a smaller or greater sign is tried where the value becomes a number.
  const numbers = toNumberVariants(dictionary, path).filter(({ isNear, isOrdered }) => isNear && !isOrdered)
  return [...toTextVariants(dictionary, path), ...numbers]
}

function toRaw(node: Node, name: string, raw: RawValue): unknown {
  return raw === 'array' ? items(toNode(node, name)) : raw.value
}

function toNode(node: Node, name: string): Node {
  return { ...node, path: `${node.path}/${name}`, depth: node.depth + 1, parent: node, name, own: new Map() }
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

/** As text `1`, as a number in a comparison each of 1, a large one and 0: dates, JSON and arithmetic then work. */
function toPrimitive(node: Node, hint: string): string | number {
  const path = `${node.path}#${hint === 'string' ? 'text' : 'number'}`
  node.variationSource.touch(path)
  if (hint === 'string') {
    node.variationSource.show?.('1')
    return '1'
  }
  if (hint !== 'number') return 1
  const literals = toNumberVariants(node.dictionary, path)
  const index = node.variationSource.choose(path, 3, { literals })
  return literals[index - 3]?.value ?? [1, 1e6, 0][index] ?? 1
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
  const index = node.variationSource.choose(path, 3, { literals, isList: true })
  const count = literals[index - 3]?.value ?? [1, 2, 0][index] ?? 1
  const list = Array.from({ length: node.depth >= maxDepth ? 0 : count }, (_, at) => {
    if (at >= maxVariedItems && !node.own.has(`${at}`)) node.own.set(`${at}`, toChild(node, `${at}`))
    return read(node, `${at}`)
  }).filter((item) => item !== undefined)
  node.own.set('\0items', list)
  return list
}

function call(node: Node, args: readonly unknown[]): unknown {
  const { parent } = node
  if (!parent) return toProxy({ ...node, path: `${node.path}()`, depth: node.depth + 1, own: new Map() })
  const subject: MethodSubject = {
    items: () => items(parent),
    self: () => toProxy({ ...parent, own: parent.own }),
    either: (count) => parent.variationSource.choose(`${parent.path}.${node.name}()`, count),
    result: () =>
      toProxy({ ...node, path: `${node.path}()`, depth: node.depth + 1, own: new Map(), parent: undefined }),
  }
  return callMethod(subject, node.name, args)
}
