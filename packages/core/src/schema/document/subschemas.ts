import type { JsonObject } from '@trestle/protocol'
import { isObject } from '../../base/json.ts'
import { joinPath } from '../../base/json-pointer.ts'

/** Keywords whose value is a schema; `items` too, where it is no list. */
export const schemaKeywords: ReadonlySet<string> = new Set([
  ...['additionalProperties', 'propertyNames', 'contains', 'not', 'if', 'then', 'else', 'additionalItems'],
  ...['unevaluatedProperties', 'unevaluatedItems'],
])
/** Keywords whose value is a list of schemas; `items` too, where it is one. */
export const schemaListKeywords: ReadonlySet<string> = new Set(['allOf', 'anyOf', 'oneOf', 'prefixItems'])
/** Keywords whose value is an object of schemas under names of the user's own. */
export const schemaMapKeywords: ReadonlySet<string> = new Set([
  ...['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas'],
])
const holders = [schemaKeywords, schemaListKeywords, schemaMapKeywords]

/** Returns whether schemas stand under a keyword. */
export function isSchemaKeyword(keyword: string): boolean {
  return keyword === 'items' || keyword === 'dependencies' || holders.some((keywords) => keywords.has(keyword))
}

/**
 * Lists the schemas right inside a schema, each with the JSON pointer to it. What stands under a keyword that JSON
 * Schema does not know is no schema, and neither is data.
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
 * Copies a schema with another in place of each schema right inside it.
 *
 * @param schema - The schema; it is not changed.
 * @param map - Gives what takes a schema's place; it is also asked about what stands there and is none.
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
