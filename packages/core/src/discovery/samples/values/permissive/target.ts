import type { Node } from './node.ts'
import { isMethod } from './permissive-methods.ts'
import { isNoData } from './readable.ts'

/** What a proxy hands its traps to; they are inherited. */
export interface Handler {
  node: Node
}

/**
 * Returns what a proxy stands before. Code that only runs meets a function without own properties: it can be called, and
 * its spread and its entries are empty. What is shown is an object, as data is, unless it is a method.
 *
 * @param node - The value.
 */
export function toTarget({ readable, name }: Node): object {
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
export function setOwnOf({ own, given }: Node, key: PropertyKey, value: unknown): true {
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
export function toOwnTraps(read: (node: Node, key: PropertyKey) => unknown): ProxyHandler<object> & ThisType<Handler> {
  return {
    ownKeys() {
      return [...this.node.given].map((key) => (typeof key === 'number' ? String(key) : key))
    },
    getOwnPropertyDescriptor(_target, key) {
      const { node } = this
      const value = typeof key === 'string' && !isNoData(key) ? read(node, key) : node.own.get(key)
      if (value === undefined) return undefined
      return { value, writable: true, configurable: true, enumerable: node.given.has(key) }
    },
  }
}
