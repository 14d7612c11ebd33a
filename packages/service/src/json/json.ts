import { isObject, type JsonObject } from '@trestle/protocol'

/** Returns the value if it is an object, else an empty object. */
export function toObject(value: unknown): JsonObject {
  return isObject(value) ? value : {}
}

/** Returns the objects of a list; none if the value is not a list. */
export function toObjects(value: unknown): readonly JsonObject[] {
  return Array.isArray(value) ? value.filter(isObject) : []
}

/** Returns the value if it is a string and not empty. */
export function readText(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}

/** Returns an object without its `undefined` fields. */
export function compact(fields: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))
}

/**
 * Merges objects from left to right: later values win, objects are merged, lists are replaced. Ignores prototypes: a
 * field named `__proto__` is an ordinary field.
 *
 * @param objects - The objects, in order of increasing priority.
 */
export function mergeObjects(...objects: readonly JsonObject[]): JsonObject {
  const merged = new Map<string, unknown>()
  for (const [name, value] of objects.flatMap((object) => Object.entries(object))) {
    const before = merged.get(name)
    merged.set(name, isObject(before) && isObject(value) ? mergeObjects(before, value) : value)
  }
  return Object.fromEntries(merged)
}
