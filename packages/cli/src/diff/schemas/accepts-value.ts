import { isObject } from '@trestle/protocol'
import { isSameJson, type Schema } from './plain-schema.ts'
import { followReference, toSchema } from './schema-pair.ts'
import { typeOf, typesOf } from './value-types.ts'

const simple = new Set([
  ...['type', 'enum', 'const', 'minLength', 'maxLength', 'minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum'],
  ...['required', 'properties', 'additionalProperties', 'items', 'minItems', 'maxItems', 'anyOf', 'allOf', '$ref'],
  ...['title', 'description', 'default', 'examples', '$comment', 'deprecated', 'readOnly', 'writeOnly', '$schema'],
  ...['$defs', 'definitions'],
])
const maxDepth = 50

/**
 * Returns whether a schema certainly accepts a value; false if it rejects it or has an unknown keyword.
 *
 * @param place - The whole schema, and the current depth.
 */
export function surelyAccepts(
  schema: Schema,
  value: unknown,
  place: { readonly root: Schema; readonly depth?: number },
): boolean {
  const { root, depth = 0 } = place
  if (typeof schema === 'boolean') return schema
  if (depth > maxDepth || Object.keys(schema).some((keyword) => !simple.has(keyword))) return false
  const accepts = (inner: unknown, one: unknown = value): boolean =>
    surelyAccepts(toSchema(inner), one, { root, depth: depth + 1 })
  if (Array.isArray(schema['items']) || !typesOf(schema).includes(typeOf(value))) return false
  const { enum: values, $ref, anyOf, allOf } = schema
  if (Array.isArray(values) && !values.some((one) => isSameJson(one, value))) return false
  if ('const' in schema && !isSameJson(schema['const'], value)) return false
  if ($ref !== undefined) {
    const target = followReference(root, $ref)
    if (target === undefined || !accepts(target)) return false
  }
  if (Array.isArray(anyOf) && !anyOf.some((one) => accepts(one))) return false
  if (Array.isArray(allOf) && !allOf.every((one) => accepts(one))) return false
  if (typeof value === 'string') return isWithin(schema, [...value].length, ['minLength', 'maxLength'])
  if (typeof value === 'number')
    return isWithin(schema, value, ['minimum', 'maximum']) && isStrictlyWithin(schema, value)
  if (Array.isArray(value))
    return (
      isWithin(schema, value.length, ['minItems', 'maxItems']) && value.every((one) => accepts(schema['items'], one))
    )
  if (!isObject(value)) return true
  return acceptsFields(schema, value, accepts)
}

function acceptsFields(
  schema: Readonly<Record<string, unknown>>,
  value: Readonly<Record<string, unknown>>,
  accepts: (inner: unknown, one: unknown) => boolean,
): boolean {
  const { required, properties, additionalProperties } = schema
  if (Array.isArray(required) && !required.every((name) => Object.hasOwn(value, String(name)))) return false
  const fieldSchemas = isObject(properties) ? properties : {}
  return Object.entries(value).every(([name, one]) =>
    accepts(Object.hasOwn(fieldSchemas, name) ? fieldSchemas[name] : additionalProperties, one),
  )
}

type Bounds = readonly [lower: string, upper: string]

function isWithin(schema: Readonly<Record<string, unknown>>, size: number, [lower, upper]: Bounds): boolean {
  const [least, most] = [schema[lower], schema[upper]]
  return (typeof least !== 'number' || size >= least) && (typeof most !== 'number' || size <= most)
}

function isStrictlyWithin(schema: Readonly<Record<string, unknown>>, value: number): boolean {
  const { exclusiveMinimum: least, exclusiveMaximum: most } = schema
  if (typeof least === 'boolean' || typeof most === 'boolean') return false
  return (typeof least !== 'number' || value > least) && (typeof most !== 'number' || value < most)
}
