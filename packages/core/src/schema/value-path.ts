import { isObject, setOwn } from '../base/json.ts'

/** The keys and indices that lead to a place of a value, from the outside in. */
export type Path = readonly (string | number)[]

/** Returns what is at a place; `undefined` where nothing is. */
export function valueAt(value: unknown, path: Path): unknown {
  let place = value
  for (const key of path) {
    if (typeof place !== 'object' || place === null || !Object.hasOwn(place, key)) return undefined
    place = Reflect.get(place, key)
  }
  return place
}

/**
 * Returns data with values set at places. What lies around them is copied, the rest shared.
 *
 * @param data - JSON data in which all but the last key of each path is there; it is not changed.
 * @param values - Each place, at least one key, with its value.
 */
export function withValues(data: unknown, values: Iterable<readonly [path: Path, value: unknown]>): unknown {
  const copies = new Set<unknown>()
  const setAt = (at: unknown, [key, ...rest]: Path, value: unknown): unknown => {
    if (key === undefined) return value
    const copy = copies.has(at) ? (at as object) : Array.isArray(at) ? [...at] : { ...(at as object) }
    copies.add(copy)
    setOwn(copy, String(key), setAt(valueAt(at, [key]), rest, value))
    return copy
  }
  let copied = data
  for (const [path, value] of values) copied = setAt(copied, path, value)
  return copied
}

/** Returns whether two values are the same at a place; where the place is not in both, around it. */
export function isSameAt(left: unknown, right: unknown, path: Path): boolean {
  const [key, ...rest] = path
  if (key === undefined || !has(left, key) || !has(right, key)) return isSame(left, right)
  return isSameAt(Reflect.get(left, key), Reflect.get(right, key), rest)
}

function has(value: unknown, key: string | number): value is object {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, key)
}

/** What is neither data nor a date is the same only as itself. */
function isSame(left: unknown, right: unknown): boolean {
  if (Object.is(left, right)) return true
  if (left instanceof Date && right instanceof Date) return left.getTime() === right.getTime()
  if (Array.isArray(left) || Array.isArray(right)) {
    if (!Array.isArray(left) || !Array.isArray(right) || left.length !== right.length) return false
    return left.every((item, index) => isSame(item, right[index]))
  }
  if (!isPlain(left) || !isPlain(right)) return false
  const keys = Object.keys(left)
  if (keys.length !== Object.keys(right).length) return false
  return keys.every((key) => Object.hasOwn(right, key) && isSame(left[key], right[key]))
}

function isPlain(value: unknown): value is Record<string, unknown> {
  if (!isObject(value)) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}
