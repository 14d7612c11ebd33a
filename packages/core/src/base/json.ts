import type { JsonObject } from '@trestle/protocol'

/**
 * Returns the built-in class name of a value, even from another realm: `Date`, `Map`.
 *
 * @param value - Any value; plain values have `Object`, `Number` and so on.
 */
export function tagOf(value: unknown): string {
  return Object.prototype.toString.call(value).slice('[object '.length, -1)
}

/**
 * Returns whether an object is plain, so that JSON preserves its type; works across realms.
 *
 * @param value - An object other than an array.
 */
export function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === null || Object.getPrototypeOf(prototype) === null
}

/**
 * Returns whether JSON data is nested deeper than a limit. A flat object has one level. Stops at the limit, so that no
 * depth can exhaust the stack.
 */
export function isDeeperThan(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  if (levels === 0) return true
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index++) {
      const item: unknown = value[index]
      if (typeof item === 'object' && isDeeperThan(item, levels - 1)) return true
    }
    return false
  }
  for (const key in value) {
    const item = (value as JsonObject)[key]
    if (typeof item === 'object' && isDeeperThan(item, levels - 1)) return true
  }
  return false
}
