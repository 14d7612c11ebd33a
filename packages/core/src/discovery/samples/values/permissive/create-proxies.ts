import { madeUp } from '../../../../base/clone-guard.ts'
import type { Node } from './node.ts'
import { isMethod } from './permissive-methods.ts'
import { isNoData } from './readable.ts'

/**
 * What a proxy hands its traps to, which are inherited. The value behind it is made at the first trap: a preview makes
 * proxies that nothing is read of.
 */
interface Handler {
  source: Node | (() => Node)
}

type Traps = ProxyHandler<object> & ThisType<Handler>

/** What is done with a value. */
export interface Uses {
  /** Reads a property of it. */
  read(node: Node, key: PropertyKey): unknown
  /** Calls it. */
  call(node: Node, args: readonly unknown[]): unknown
}

/**
 * Returns the value behind a proxy; `undefined` for anything else.
 *
 * @param value - Any value.
 */
export function nodeOf(value: unknown): Node | undefined {
  if ((typeof value !== 'object' || value === null) && typeof value !== 'function') return undefined
  try {
    return (value as { readonly [madeUp]?: Node })[madeUp]
  } catch {
    // An object of the app that cannot be read is none.
    return undefined
  }
}

/** What a proxy looks like from outside. */
export type Look = Pick<Node, 'readable' | 'name'>

/**
 * Returns a function that makes the proxy of a value, from what it looks like and the value, or what makes it.
 *
 * @param uses - What is done with values.
 */
export function createProxies({ read, call }: Uses): (look: Look, source: Node | (() => Node)) => unknown {
  const traps: Traps = {
    get(_target, key) {
      return key === madeUp ? behind(this) : read(behind(this), key)
    },
    has(target, key) {
      return typeof key === 'string' && Reflect.isExtensible(target)
    },
    ownKeys: (target) => (Reflect.isExtensible(target) ? [] : Reflect.ownKeys(target)),
    getOwnPropertyDescriptor: () => undefined,
    set(_target, key, value) {
      return setOwnOf(behind(this), key, value)
    },
    deleteProperty(_target, key) {
      return setOwnOf(behind(this), key, undefined)
    },
    defineProperty(_target, key, { value }) {
      return setOwnOf(behind(this), key, value)
    },
    apply(_target, _self, args: unknown[]) {
      return call(behind(this), args)
    },
  }
  const shownTraps: Traps = { ...traps, ...toOwnTraps(read) }
  return (look, source) => {
    const handler: Handler = Object.create(look.readable ? shownTraps : traps)
    handler.source = source
    return new Proxy(toTarget(look), handler as ProxyHandler<object>)
  }
}

function behind(handler: Handler): Node {
  const { source } = handler
  if (typeof source !== 'function') return source
  const node = source()
  handler.source = node
  return node
}

/**
 * Returns what a proxy stands before. Code that only runs meets a function without own properties: it can be called, and
 * its spread and its entries are empty. What is shown is an object, as data is, unless it is a method.
 *
 * @param node - The value.
 */
function toTarget({ readable, name }: Look): object {
  if (readable && !isMethod(name)) return {}
  const target = (): undefined => undefined
  Reflect.deleteProperty(target, 'name')
  Reflect.deleteProperty(target, 'length')
  return target
}

/**
 * Sets a property of a value.
 *
 * @param node - The value.
 * @param key - The property's name.
 * @param value - `undefined` where it is deleted.
 * @returns `true`, as a trap of a proxy has to.
 */
function setOwnOf({ own, given }: Node, key: PropertyKey, value: unknown): true {
  own.set(key, value)
  if (value === undefined) given.delete(key)
  else given.add(key)
  return true
}

/**
 * Returns the traps for the own fields of what is shown: those that were given are listed, and templates, which read own
 * fields only, find all others too.
 *
 * @param read - Reads a property of a value.
 */
function toOwnTraps(read: Uses['read']): Traps {
  return {
    ownKeys(target) {
      if (!Reflect.isExtensible(target)) return Reflect.ownKeys(target)
      return [...behind(this).given].map((key) => (typeof key === 'number' ? String(key) : key))
    },
    getOwnPropertyDescriptor(target, key) {
      if (!Reflect.isExtensible(target)) return Reflect.getOwnPropertyDescriptor(target, key)
      const node = behind(this)
      const value = typeof key === 'string' && !isNoData(key) ? read(node, key) : node.own.get(key)
      if (value === undefined) return undefined
      return {
        value,
        writable: true,
        configurable: true,
        enumerable: node.given.has(key),
      }
    },
  }
}
