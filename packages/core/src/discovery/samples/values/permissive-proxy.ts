import { callMethod, isMethodOnly, type MethodSubject } from './permissive-methods.ts'
import type { VariationSource } from './variation.ts'

const maxDepth = 10

/** The state behind a permissive proxy. */
interface Node {
  readonly variationSource: VariationSource
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
 * usual methods of arrays, strings, numbers and dates. Each property is a place that may also be `undefined`.
 *
 * @param variationSource - Chooses and remembers what was read.
 * @param path - The place.
 */
export function createPermissiveProxy(variationSource: VariationSource, path: string): unknown {
  return toProxy({ variationSource, path, depth: 0, parent: undefined, name: '', own: new Map() })
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
  node.variationSource.touch()
  if (node.own.has(key)) return node.own.get(key)
  if (typeof key === 'symbol') return readSymbol(node, key)
  const name = String(key)
  // An awaited value whose `then` could be called would never settle.
  if (name === 'then') return undefined
  if (name === 'length') return items(node).length
  if (node.depth >= maxDepth) return ''
  const path = `${node.path}/${name}`
  if (!isMethodOnly(name) && node.variationSource.choose(`${path}?`, 2) === 1) return undefined
  const child = toProxy({
    variationSource: node.variationSource,
    path,
    depth: node.depth + 1,
    parent: node,
    name,
    own: new Map(),
  })
  node.own.set(key, child)
  return child
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
  if (hint === 'string') return '1'
  return hint === 'number' ? ([1, 1e6, 0][node.variationSource.choose(`${node.path}#number`, 3)] ?? 1) : 1
}

function items(node: Node): unknown[] {
  const kept = node.own.get('\0items')
  if (Array.isArray(kept)) return kept
  const count = [1, 2, 0][node.variationSource.choose(`${node.path}#items`, 3)] ?? 1
  const list = Array.from({ length: node.depth >= maxDepth ? 0 : count }, (_, index) => read(node, `${index}`)).filter(
    (item) => item !== undefined,
  )
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
