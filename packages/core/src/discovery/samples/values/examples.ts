import { isObject, type JsonObject } from '@trestle/protocol'

/** One possible value of a path. */
export interface Variant {
  /** Creates it. */
  readonly make: () => unknown
  /** Whether to prefer this value for display. */
  readonly preferred?: boolean
}

/**
 * Returns the values of an enum; a default or an example is marked as preferred for display.
 *
 * @param schema - The schema of the enum.
 * @param values - The values of the enum.
 */
export function withPreferred(schema: JsonObject, values: readonly unknown[]): Variant[] {
  const wanted = Object.hasOwn(schema, 'default') ? schema['default'] : firstExample(schema)
  return values.map((value) => ({ make: () => value, preferred: wanted !== undefined && value === wanted }))
}

function firstExample(schema: JsonObject): unknown {
  const { examples, example } = schema
  return Array.isArray(examples) && examples.length > 0 ? examples[0] : example
}

/**
 * Adds the schema's default and examples to the values; for text, they count as the fullest values.
 *
 * @param schema - The schema.
 * @param variants - The generated values.
 */
export function addExamples(schema: JsonObject, variants: Variant[]): Variant[] {
  const own: unknown[] = []
  if (Object.hasOwn(schema, 'default')) own.push(schema['default'])
  const { examples, example } = schema
  own.push(...(Array.isArray(examples) ? examples.slice(0, 5) : []), ...(example === undefined ? [] : [example]))
  if (own.length === 0) return variants
  const [first] = own
  const exampleVariants = own.map((value, index) => ({ make: () => structuredClone(value), preferred: index === 0 }))
  if (schema['type'] === 'boolean')
    return variants.map((variant) => ({ ...variant, preferred: variant.make() === first }))
  // The fields of an object are varied separately; an example of a whole object is only for display.
  if (isObject(first) || Array.isArray(first))
    return [...variants.slice(0, -1), ...exampleVariants.slice(0, 1), ...variants.slice(-1)]
  return schema['type'] === 'string' || schema['type'] === 'number' || schema['type'] === 'integer'
    ? [...exampleVariants, ...variants.slice(1)]
    : [...exampleVariants, ...variants]
}
