import {
  isObject,
  type JsonObject,
  joinPath,
  schemaKeywords,
  schemaListKeywords,
  schemaMapKeywords,
} from '@trestle/protocol'

const holders = [schemaKeywords, schemaListKeywords, schemaMapKeywords]

/** Returns whether a keyword contains schemas. */
export function isSchemaKeyword(keyword: string): boolean {
  return keyword === 'items' || keyword === 'dependencies' || holders.some((keywords) => keywords.has(keyword))
}

/**
 * Lists the direct subschemas of a schema with their JSON pointers. Values of unknown keywords and data do not count as
 * schemas.
 *
 * @example
 * subschemas({ items: { type: 'string' } }, '') // [['/items', { type: 'string' }]]
 */
export function subschemas(schema: JsonObject, path: string): readonly (readonly [path: string, schema: JsonObject])[] {
  return Object.entries(schema).flatMap(([keyword, value]) => {
    const inner = joinPath(path, keyword)
    if (keyword === 'items' || schemaKeywords.has(keyword) || schemaListKeywords.has(keyword))
      return Array.isArray(value) ? objectsIn(value.entries(), inner) : isObject(value) ? [[inner, value] as const] : []
    const isMap = schemaMapKeywords.has(keyword) || keyword === 'dependencies'
    return isMap && isObject(value) ? objectsIn(Object.entries(value), inner) : []
  })
}

/**
 * Copies a schema and replaces its direct subschemas in the copy.
 *
 * @param schema - The schema, which is not modified.
 * @param map - Returns the replacement; also called for invalid values where a schema is expected.
 * @example
 * mapSubschemas({ items: true }, () => false) // { items: false }
 */
export function mapSubschemas(schema: JsonObject, map: (schema: unknown) => unknown): JsonObject {
  const mapped = Object.entries(schema).map(([keyword, value]): [string, unknown] => {
    if (keyword === 'items' || schemaKeywords.has(keyword) || schemaListKeywords.has(keyword))
      return [keyword, Array.isArray(value) ? value.map(map) : map(value)]
    if (!(schemaMapKeywords.has(keyword) || keyword === 'dependencies') || !isObject(value)) return [keyword, value]
    return [keyword, Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, map(inner)]))]
  })
  return Object.fromEntries(mapped)
}

function objectsIn(
  entries: Iterable<readonly [key: string | number, value: unknown]>,
  path: string,
): (readonly [string, JsonObject])[] {
  return [...entries].flatMap(([key, value]) => (isObject(value) ? [[joinPath(path, key), value] as const] : []))
}
