import { isObject, schemaKeywords, schemaListKeywords, schemaMapKeywords } from '@trestle/protocol'

/** A JSON Schema: an object, `true` or `false`. */
export type Schema = Readonly<Record<string, unknown>> | boolean

/** Keywords whose value is a schema or a list of schemas. */
const inner = new Set(['items', ...schemaKeywords, ...schemaListKeywords])
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
  if (typeof schema === 'boolean') return schema
  if (!isObject(schema)) return true
  const keywords = Object.keys(schema)
    .filter((keyword) => !words.has(keyword) && (keyword !== 'default' || options.keepDefaults))
    .sort()
  return fromNames(keywords.map((keyword) => [keyword, toPlainValue(keyword, schema[keyword], options)]))
}

function toPlainValue(keyword: string, value: unknown, options: { readonly keepDefaults: boolean }): unknown {
  if (schemaMapKeywords.has(keyword) && isObject(value))
    return fromNames(
      Object.keys(value)
        .sort()
        .map((name) => [name, toPlainSchema(value[name], options)]),
    )
  if (inner.has(keyword))
    return Array.isArray(value) ? value.map((one) => toPlainSchema(one, options)) : toPlainSchema(value, options)
  if (keyword === 'required' && Array.isArray(value)) return [...value].sort()
  return toSorted(value)
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
