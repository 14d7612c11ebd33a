import type { JsonObject } from '@trestle/protocol'

/** A string of any length. */
export const text: JsonObject = Object.freeze({ type: 'string' })

/**
 * Returns the schema of an object with only these fields.
 *
 * @param required - The required fields.
 */
export function closed(properties: JsonObject, required: readonly string[] = []): JsonObject {
  return { type: 'object', properties, ...(required.length > 0 && { required }), additionalProperties: false }
}

/**
 * Returns a schema that also accepts `null`.
 *
 * @param schema - A schema with one `type`.
 */
export function nullable(schema: JsonObject): JsonObject {
  return { ...schema, type: [schema['type'], 'null'] }
}
