import { toPointer } from '@trestle/protocol'

/**
 * Looks for the first place where a value is not what a vector's pattern asks for: it must be equal, but for
 * `{ "$any": type }`, any value of the JSON type, and `{ "$contains": object }`, an object with at least these fields.
 *
 * @param value - The value, as JSON gave it.
 * @param pattern - The pattern.
 * @param segments - The way to the value.
 * @returns What is wrong, in a sentence; `undefined` when nothing is.
 */
export function findFault(value: unknown, pattern: unknown, segments: readonly PropertyKey[] = []): string | undefined {
  const fault = `${toPointer(segments) || 'the body'} is ${JSON.stringify(value)}, and not ${JSON.stringify(pattern)}`
  if (typeof pattern !== 'object' || pattern === null) return value === pattern ? undefined : fault
  if ('$any' in pattern) return typeOf(value) === pattern.$any ? undefined : fault
  const parts = '$contains' in pattern ? (pattern.$contains as object) : pattern
  if (typeOf(value) !== typeOf(parts)) return fault
  const keys = new Set(Object.keys(parts))
  if (parts === pattern) for (const key of Object.keys(value as object)) keys.add(key)
  for (const key of keys) {
    const found = findFault(fieldOf(value as object, key), fieldOf(parts, key), [...segments, key])
    if (found) return found
  }
  return undefined
}

function fieldOf(owner: object, key: string): unknown {
  return Object.hasOwn(owner, key) ? Reflect.get(owner, key) : undefined
}

function typeOf(value: unknown): string {
  if (value === null) return 'null'
  return Array.isArray(value) ? 'array' : typeof value
}
