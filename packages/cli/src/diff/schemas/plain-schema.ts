import { mapSubschemas } from '@trestle/json-schema'
import { isObject } from '@trestle/protocol'

/** A JSON Schema: an object, `true` or `false`. */
export type Schema = Readonly<Record<string, unknown>> | boolean

/** Keywords that do not restrict values. */
const words = new Set([
  ...['title', 'description', 'examples', '$comment', 'deprecated', 'readOnly', 'writeOnly', '$schema', '$id', 'id'],
  ...['contentEncoding', 'contentMediaType', 'contentSchema'],
])

/**
 * Returns a schema with sorted keys and without descriptive keywords, so that equal schemas have equal text.
 *
 * @param options - Whether to keep defaults: they do not restrict values, but fill them in.
 */
export function toPlainSchema(schema: unknown, options: { readonly keepDefaults: boolean }): Schema {
  const strip = (part: unknown): unknown => {
    if (!isObject(part)) return part
    const { required } = part
    const kept = Object.entries(mapSubschemas(part, strip)).filter(
      ([keyword]) => !words.has(keyword) && (keyword !== 'default' || options.keepDefaults),
    )
    return { ...fromNames(kept), ...(Array.isArray(required) && { required: [...required].sort() }) }
  }
  return typeof schema === 'boolean' || isObject(schema) ? (toSorted(strip(schema)) as Schema) : true
}

/** Returns JSON with the keys of all objects sorted. */
export function toSorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(toSorted)
  if (!isObject(value)) return value
  return fromNames(
    Object.keys(value)
      .sort()
      .map((name) => [name, toSorted(value[name])]),
  )
}

/** `Object.fromEntries` defines own properties, so that a field named `__proto__` stays a field. */
const fromNames = (entries: readonly (readonly [string, unknown])[]): Readonly<Record<string, unknown>> =>
  Object.fromEntries(entries)

/** Returns whether two values are equal as JSON, independent of key order. */
export function isSameJson(one: unknown, other: unknown): boolean {
  return JSON.stringify(toSorted(one)) === JSON.stringify(toSorted(other))
}
