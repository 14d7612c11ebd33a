import type { JsonObject } from '@trestle/protocol'

/** A string of any length. */
export const text: JsonObject = Object.freeze({ type: 'string' })

/**
 * An object with these fields and no others.
 *
 * @param required - The required fields.
 */
export function closed(properties: JsonObject, required: readonly string[] = []): JsonObject {
  return { type: 'object', properties, ...(required.length > 0 && { required }), additionalProperties: false }
}

/**
 * The same, or `null`.
 *
 * @param schema - A schema with one `type`.
 */
export function nullable(schema: JsonObject): JsonObject {
  return { ...schema, type: [schema['type'], 'null'] }
}
