import { decodePercent, isObject, type JsonObject, joinPath, schemaMapKeywords } from '@trestle/protocol'
import { draftOf } from './draft.ts'
import { isSchemaKeyword, mapSubschemas } from './subschemas.ts'

const keywordOrder = [
  ...['$id', '$ref', 'title', 'description', 'type', 'format', 'const', 'enum', 'properties', 'required'],
  ...['additionalProperties', 'items'],
]
const remarks: ReadonlySet<string> = new Set([
  ...['title', 'description', 'default', 'examples', 'deprecated', 'readOnly', 'writeOnly', '$defs', '$schema'],
])
// Keywords that could also reject null.
const judgesAny: ReadonlySet<string> = new Set([
  ...['enum', 'const', 'oneOf', 'anyOf', 'allOf', 'not', 'if', 'then', 'else', '$ref'],
])

/**
 * Normalizes a JSON Schema for publishing, so that the same shape has the same schema, regardless of the library. Keeps
 * everything meaningful, including the order of properties and enums.
 *
 * @param options - `refers: false` if the schema has no references.
 * @example
 * publishSchema({ anyOf: [{ const: 'a' }, { const: 'b' }] }) // { type: 'string', enum: ['a', 'b'] }
 */
export function publishSchema(schema: unknown, { refers = true }: { readonly refers?: boolean } = {}): JsonObject {
  if (schema === true) return {}
  if (schema === false) return { not: {} }
  const isOld = isObject(schema) && draftOf(schema) === '7'
  const plain = isOld ? withLonelyReferences(schema) : schema
  // Targets of references must keep their position, and so must everything around them.
  const references = refers ? [...referencesIn(plain)] : []
  const place = references.length > 0 ? { path: '', fixed: new Set(references.flatMap(withPlacesAround)) } : undefined
  const { $schema: _, ...rest } = publishInner(plain, place) as JsonObject
  return rest
}

function* referencesIn(value: unknown): Generator<string> {
  if (Array.isArray(value)) for (const item of value) yield* referencesIn(item)
  if (!isObject(value)) return
  if (typeof value['$ref'] === 'string') yield decodePercent(value['$ref'].slice(1))
  for (const item of Object.values(value)) yield* referencesIn(item)
}

/** The location of a schema; `undefined` in a document without references. */
type PublishPlace = PlaceAmongReferences | undefined

interface PlaceAmongReferences {
  /** JSON pointer to the schema. */
  readonly path: string
  /** Paths that are the target of a reference, or contain one. */
  readonly fixed: ReadonlySet<string>
}

function withPlacesAround(pointer: string): readonly string[] {
  const segments = pointer.split('/')
  return segments.map((_, index) => segments.slice(0, index + 1).join('/'))
}

/** Removes the siblings of a reference except comments, because draft 7 ignores them; later drafts do not. */
function withLonelyReferences(schema: unknown): unknown {
  if (!isObject(schema)) return schema
  const isReference = typeof schema['$ref'] === 'string'
  const kept = Object.entries(schema).filter(
    ([keyword]) => !isReference || keyword === '$ref' || keyword === 'definitions' || remarks.has(keyword),
  )
  return mapSubschemas(Object.fromEntries(kept), withLonelyReferences)
}

function publishInner(schema: unknown, place: PublishPlace): unknown {
  if (!isObject(schema)) return schema
  const copy: JsonObject = Object.fromEntries(
    Object.entries(schema).map(([keyword, value]) => [keyword, publishKeyword(keyword, value, inside(place, keyword))]),
  )
  if (Array.isArray(copy['required'])) {
    if (copy['required'].length === 0) delete copy['required']
    else copy['required'] = [...copy['required']].sort()
  }
  if (isPlainName(copy['propertyNames'])) delete copy['propertyNames']
  const isFixed = (keyword: string): boolean => place?.fixed.has(joinPath(place.path, keyword)) ?? false
  const tupled = isFixed('items') || isFixed('additionalItems') ? copy : withTuple(copy)
  return inOrder(isFixed('anyOf') ? withType(tupled) : withTypes(withNull(withType(withEnum(tupled)))))
}

function inside(place: PublishPlace, key: string | number): PublishPlace {
  return place && { path: joinPath(place.path, key), fixed: place.fixed }
}

function publishKeyword(keyword: string, value: unknown, place: PublishPlace): unknown {
  if (!isSchemaKeyword(keyword)) return value
  const publishAt = (item: unknown, key: string | number): unknown => publishInner(item, inside(place, key))
  const isMap = schemaMapKeywords.has(keyword) || keyword === 'dependencies'
  if (isMap && isObject(value))
    // A dependency may be a list of names.
    return Object.fromEntries(
      Object.entries(value).map(([key, item]) => [key, Array.isArray(item) ? item : publishAt(item, key)]),
    )
  return Array.isArray(value) ? value.map(publishAt) : publishInner(value, place)
}

/** Moves a list of schemas in `items` to `prefixItems`, the keyword for it since 2020-12. */
function withTuple(schema: JsonObject): JsonObject {
  if (!Array.isArray(schema['items']) || 'prefixItems' in schema) return schema
  const { items, additionalItems, ...rest } = schema
  return { ...rest, prefixItems: items, ...(additionalItems !== undefined && { items: additionalItems }) }
}

/** Returns whether a `propertyNames` schema only requires strings, which is true for every key. */
function isPlainName(schema: unknown): boolean {
  return isObject(schema) && schema['type'] === 'string' && Object.keys(schema).length === 1
}

/** Converts a union of constants to an enum, and an enum with one value to a constant. */
function withEnum(schema: JsonObject): JsonObject {
  if ('const' in schema || !('enum' in schema || 'anyOf' in schema)) return schema
  const { anyOf, enum: values, ...rest } = schema
  if (Array.isArray(values))
    return values.length === 1 ? { ...rest, ...(anyOf ? { anyOf } : {}), const: values[0] } : schema
  if (!Array.isArray(anyOf) || anyOf.length < 2 || !anyOf.every(isConstant)) return schema
  return { ...rest, enum: anyOf.map((item: JsonObject) => item['const']) }
}

function isConstant(schema: unknown): boolean {
  return isObject(schema) && 'const' in schema && Object.keys(schema).every((key) => key === 'const' || key === 'type')
}

/** Adds the type of constants. */
function withType(schema: JsonObject): JsonObject {
  if (schema['type'] !== undefined || !('enum' in schema || 'const' in schema)) return schema
  const { const: constant, enum: values, type: _, ...rest } = schema
  if (values !== undefined && 'const' in schema) return schema
  if (constant === null) return { ...rest, type: 'null' }
  const list = Array.isArray(values) ? values : 'const' in schema ? [constant] : []
  const types = new Set(list.map((value) => typeof value))
  const [only] = types
  if (types.size !== 1 || only === undefined || only === 'object') return schema
  if (only === 'boolean' && new Set(list).size === 2) return { ...rest, type: 'boolean' }
  return { ...schema, type: only }
}

/** Converts a union of one type and null to a list of types. */
function withNull(schema: JsonObject): JsonObject {
  if (!('anyOf' in schema)) return schema
  const { anyOf, ...rest } = schema
  // Keywords of the branches must not interact.
  if (!Array.isArray(anyOf) || anyOf.length !== 2 || !Object.keys(rest).every((key) => remarks.has(key))) return schema
  const nulls = anyOf.filter((item) => isObject(item) && item['type'] === 'null' && Object.keys(item).length === 1)
  const other = anyOf.find((item) => !nulls.includes(item))
  if (nulls.length !== 1 || !isObject(other) || typeof other['type'] !== 'string') return schema
  if (Object.keys(other).some((key) => judgesAny.has(key) || key in rest)) return schema
  return { ...rest, ...other, type: [other['type'], 'null'] }
}

/** Converts a union of types to a sorted list of types. */
function withTypes(schema: JsonObject): JsonObject {
  if (!('anyOf' in schema) && !Array.isArray(schema['type'])) return schema
  const { anyOf, ...rest } = schema
  const isBare = (item: unknown): boolean =>
    isObject(item) && typeof item['type'] === 'string' && Object.keys(item).length === 1
  const isChoice = Array.isArray(anyOf) && anyOf.length > 1 && anyOf.every(isBare) && !('type' in rest)
  const types: unknown = isChoice ? anyOf.map((item: JsonObject) => item['type']) : schema['type']
  if (!Array.isArray(types)) return schema
  const names = [...new Set(types.map(String))].sort(
    (a, b) => Number(a === 'null') - Number(b === 'null') || (a < b ? -1 : 1),
  )
  return { ...(isChoice ? rest : schema), type: names }
}

function inOrder(schema: JsonObject): JsonObject {
  const knownKeywords = keywordOrder.filter((keyword) => Object.hasOwn(schema, keyword))
  const others = Object.keys(schema).filter((keyword) => !keywordOrder.includes(keyword))
  return Object.fromEntries([...knownKeywords, ...others].map((keyword) => [keyword, schema[keyword]]))
}
