import { isObject } from '@trestle/protocol'
import type { Schema } from '../diff/schemas/plain-schema.ts'
import { followReference, type SchemaObject, toSchema } from '../diff/schemas/schema-pair.ts'

/** The state of a schema conversion. */
export interface TypeScope {
  /** The whole schema, for references. */
  readonly root: Schema
  /** Types by reference, so that recursive schemas end; filled during the conversion. */
  readonly named: Map<string, { readonly name: string; text: string }>
  /** Returns a name that no other type has. */
  readonly createName: (hint: string) => string
}

const indent = '  '
const maxDepth = 60

/**
 * Returns the TypeScript type of a schema. It is never narrower: restrictions that types cannot express, such as bounds
 * and patterns, are omitted.
 *
 * @param scope - The whole schema, and the types that were named.
 * @param depth - The nesting depth. @default 0
 */
export function schemaToType(schema: Schema, scope: TypeScope, depth = 0): string {
  if (schema === false) return 'never'
  if (schema === true || depth > maxDepth) return 'unknown'
  if ('const' in schema) return toLiteral(schema['const'])
  if (Array.isArray(schema['enum'])) return union(schema['enum'].map(toLiteral))
  const parts = [ownType(schema, scope, depth), ...combinedTypes(schema, scope, depth)].filter(
    (one) => one !== 'unknown',
  )
  if (parts.length === 0) return 'unknown'
  return parts.length === 1 ? (parts[0] ?? 'unknown') : [...new Set(parts.map(group))].join(' & ')
}

function combinedTypes(schema: SchemaObject, scope: TypeScope, depth: number): readonly string[] {
  const inner = (one: unknown): string => schemaToType(toSchema(one), scope, depth + 1)
  const { anyOf, oneOf, allOf, $ref } = schema
  return [
    ...(Array.isArray(anyOf) ? [union(anyOf.map(inner))] : []),
    ...(Array.isArray(oneOf) ? [union(oneOf.map(inner))] : []),
    ...(Array.isArray(allOf) ? allOf.map(inner) : []),
    ...($ref === undefined ? [] : [referencedType($ref, scope, depth)]),
  ]
}

/** Converts each definition to a separate type, which can refer to itself. */
function referencedType(reference: unknown, scope: TypeScope, depth: number): string {
  const key = String(reference)
  const existingName = scope.named.get(key)
  if (existingName) return existingName.name
  const target = followReference(scope.root, reference)
  if (target === undefined) return 'unknown'
  const entry = { name: scope.createName(key.split('/').at(-1) ?? 'Part'), text: 'unknown' }
  scope.named.set(key, entry)
  const text = schemaToType(target, scope, depth + 1)
  // A type that only refers to itself is invalid.
  entry.text = text === entry.name ? 'unknown' : text
  return entry.name
}

function ownType(schema: SchemaObject, scope: TypeScope, depth: number): string {
  const { type, properties, required } = schema
  // Without a type, keywords for fields still imply an object, as authors expect.
  if (type === undefined)
    return isObject(properties) || Array.isArray(required) ? objectType(schema, scope, depth) : 'unknown'
  return union([type].flat().map((one) => typeOfName(String(one), schema, { scope, depth })))
}

function typeOfName(
  name: string,
  schema: SchemaObject,
  { scope, depth }: { readonly scope: TypeScope; readonly depth: number },
): string {
  if (name === 'string' || name === 'boolean' || name === 'null' || name === 'number') return name
  if (name === 'integer') return 'number'
  if (name === 'array') return arrayType(schema, scope, depth)
  return name === 'object' ? objectType(schema, scope, depth) : 'unknown'
}

function arrayType(schema: SchemaObject, scope: TypeScope, depth: number): string {
  const { items, prefixItems, additionalItems, minItems } = schema
  const inner = (one: unknown): string => schemaToType(toSchema(one), scope, depth + 1)
  const first = Array.isArray(prefixItems) ? prefixItems : Array.isArray(items) ? items : []
  const rest = Array.isArray(items) ? additionalItems : items
  if (first.length === 0) return `readonly ${group(inner(rest))}[]`
  const least = typeof minItems === 'number' ? minItems : 0
  const places = first.map((one, index) => (index < least ? inner(one) : `${group(inner(one))}?`))
  const tail = rest === false ? [] : [`...readonly ${group(inner(rest))}[]`.replace('...readonly ', '...')]
  return `readonly [${[...places, ...tail].join(', ')}]`
}

function objectType(schema: SchemaObject, scope: TypeScope, depth: number): string {
  const { properties, required, additionalProperties, patternProperties } = schema
  const fields = isObject(properties) ? Object.entries(properties) : []
  const needed = Array.isArray(required) ? required.map(String) : []
  const extra = needed.filter((name) => !fields.some(([one]) => one === name))
  const rows = [...fields, ...extra.map((name): [string, unknown] => [name, true])].map(([name, one]) => {
    const inner = schemaToType(toSchema(one), scope, depth + 1).replaceAll('\n', `\n${indent}`)
    const mark = needed.includes(name) ? '' : '?'
    return { name, mark, inner, words: isObject(one) ? one['description'] : undefined }
  })
  const others = otherFields(additionalProperties, { patternProperties, scope, depth })
  // The index signature must match all fields, so it includes their types.
  const index =
    others === undefined
      ? undefined
      : union([others, ...rows.map(({ inner }) => inner), ...(rows.some(({ mark }) => mark) ? ['undefined'] : [])])
  if (rows.length === 0)
    return index === undefined
      ? additionalProperties === false
        ? 'Readonly<Record<string, never>>'
        : 'Readonly<Record<string, unknown>>'
      : mapOf(index, scope)
  const lines = rows.flatMap(({ name, mark, inner, words }) => [
    ...(typeof words === 'string' ? [`${indent}/** ${toComment(words)} */`] : []),
    `${indent}readonly ${toKey(name)}${mark}: ${inner}`,
  ])
  return `{\n${[...lines, ...(index === undefined ? [] : [`${indent}readonly [name: string]: ${index}`])].join('\n')}\n}`
}

/**
 * Writes a map type with braces, because a type may only refer to itself within braces: an alias such as `Record` is
 * resolved immediately.
 */
function mapOf(type: string, { named }: TypeScope): string {
  const names = new Set([...named.values()].map(({ name }) => name))
  const isNamed = (type.match(/[\w$]+/g) ?? []).some((word) => names.has(word))
  return isNamed ? `{ readonly [name: string]: ${type} }` : `Readonly<Record<string, ${type}>>`
}

/** Allows unlisted fields only if the schema mentions them, so that misspelled ones are errors. */
function otherFields(
  additional: unknown,
  {
    patternProperties,
    scope,
    depth,
  }: { readonly patternProperties: unknown; readonly scope: TypeScope; readonly depth: number },
): string | undefined {
  const patterns = isObject(patternProperties) ? Object.values(patternProperties) : []
  if (patterns.length > 0) return 'unknown'
  if (additional === undefined || additional === false) return undefined
  return schemaToType(toSchema(additional), scope, depth + 1).replaceAll('\n', `\n${indent}`)
}

/** Returns JSON as a literal type. */
function toLiteral(value: unknown): string {
  if (Array.isArray(value)) return `readonly [${value.map(toLiteral).join(', ')}]`
  if (!isObject(value)) return toText(value)
  const fields = Object.entries(value).map(([name, one]) => `readonly ${toKey(name)}: ${toLiteral(one)}`)
  return fields.length === 0 ? 'Readonly<Record<string, never>>' : `{ ${fields.join('; ')} }`
}

/** Escapes U+2028 and U+2029, which JSON allows but string literals before ES2019 do not. */
function toText(value: unknown): string {
  return JSON.stringify(value).replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029')
}

const toKey = (name: string): string => (/^[A-Za-z_$][\w$]*$/.test(name) ? name : toText(name))
const toComment = (words: string): string => words.replaceAll('*/', '* /').replaceAll(/\s+/g, ' ').trim()

function union(types: readonly string[]): string {
  const distinct = [...new Set(types)].filter((one) => one !== 'never')
  if (distinct.length === 0) return 'never'
  if (distinct.includes('unknown')) return 'unknown'
  return distinct.length === 1
    ? (distinct[0] ?? 'never')
    : distinct.map((one) => (one.includes(' & ') ? `(${one})` : one)).join(' | ')
}

/** Adds parentheses if a type needs them within another type. */
function group(type: string): string {
  return /^(?:[\w$]+|"(?:[^"\\]|\\.)*")$/.test(type) ||
    (type.startsWith('{') && !/\n\} [|&] |^\{[^\n]*\} [|&] /.test(type))
    ? type
    : `(${type})`
}
