import type { JsonObject } from '@trestle/protocol'

/**
 * Returns whether a value is a JSON object: not `null`, not an array.
 *
 * @param value - Any value.
 */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/**
 * Returns the name of a built-in class that a value is of, also where that is one of another realm: `Date`, `Map`.
 *
 * @param value - Any value; that of a plain one is `Object`, `Number` and so on.
 */
export function tagOf(value: unknown): string {
  return Object.prototype.toString.call(value).slice('[object '.length, -1)
}

/**
 * Returns whether an object is of no class, so that JSON makes the like of it: also one of another realm.
 *
 * @param value - An object that is no array.
 */
export function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === null || Object.getPrototypeOf(prototype) === null
}

/**
 * Returns whether JSON data is nested deeper than a limit. A flat object has one level. Stops at the limit, so that no
 * depth can exhaust the stack.
 *
 * @param value - Parsed JSON.
 * @param levels - The limit.
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

/**
 * Sets an own property of data that is being copied, whatever its name: an assignment to `__proto__` sets none.
 *
 * @param target - The copy.
 * @param key - The name.
 * @param value - The value.
 */
export function setOwn(target: object, key: string, value: unknown): void {
  // An assignment is faster, but what a prototype has too may be an accessor, or frozen.
  if (!(key in target)) (target as Record<string, unknown>)[key] = value
  else Object.defineProperty(target, key, { value, writable: true, enumerable: true, configurable: true })
}
