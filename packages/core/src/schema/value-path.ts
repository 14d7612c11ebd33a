import { findPath, isObject, setOwn } from '@trestle/protocol'

/** The keys and indices that lead to a nested value. */
export type Path = readonly (string | number)[]

/**
 * Returns data with values set at paths. Parents are copied, and everything else is shared.
 *
 * @param data - JSON data that contains all but the last key of each path; it is not modified.
 * @param values - The paths, each with at least one key, and their values.
 */
export function withValues(data: unknown, values: Iterable<readonly [path: Path, value: unknown]>): unknown {
  const copies = new Set<unknown>()
  const setAt = (at: unknown, [key, ...rest]: Path, value: unknown): unknown => {
    if (key === undefined) return value
    const copy = copies.has(at) ? (at as object) : Array.isArray(at) ? [...at] : { ...(at as object) }
    copies.add(copy)
    setOwn(copy, String(key), setAt(findPath(at, [key]), rest, value))
    return copy
  }
  let copied = data
  for (const [path, value] of values) copied = setAt(copied, path, value)
  return copied
}

/**
 * Compares two values at paths. A pair of parts is compared once, because the places of a long list may all have the
 * same nearest parent.
 *
 * @returns A function that returns whether the values are equal at a path, or at its nearest existing parent if one of
 *   them lacks the path.
 */
export function createComparison(left: unknown, right: unknown): (path: Path) => boolean {
  const known = new Map<unknown, Map<unknown, boolean>>()
  const compare = (one: unknown, other: unknown): boolean => {
    const results = known.get(one) ?? new Map<unknown, boolean>()
    known.set(one, results)
    const result = results.get(other) ?? isSame(one, other)
    results.set(other, result)
    return result
  }
  const compareAt = (one: unknown, other: unknown, [key, ...rest]: Path): boolean =>
    key === undefined || !has(one, key) || !has(other, key)
      ? compare(one, other)
      : compareAt(Reflect.get(one, key), Reflect.get(other, key), rest)
  return (path) => compareAt(left, right, path)
}

function has(value: unknown, key: string | number): value is object {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, key)
}

/** Compares data and dates by value, and everything else by identity. */
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
