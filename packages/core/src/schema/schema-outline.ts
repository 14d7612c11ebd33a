import { isObject, type JsonObject } from '@trestle/protocol'

/**
 * Returns a simplified schema of a closed object or of a union of objects: each field once, and the required ones. It
 * accepts everything that the schema accepts; combinations, additional fields and messages are only checked by the full
 * schema. Other schemas are returned unchanged.
 */
export function toSchemaOutline(schema: JsonObject): JsonObject {
  const { oneOf, additionalProperties: _, ...rest } = schema
  if (isClosed(schema)) return rest
  if (!Array.isArray(oneOf) || !oneOf.every(isClosed)) return schema
  const properties: Record<string, JsonObject> = {}
  for (const form of oneOf)
    for (const [name, field] of Object.entries(form['properties'] as Record<string, JsonObject>)) {
      const existingField = properties[name]
      properties[name] = existingField ? join(existingField, field) : withoutMessage(field)
    }
  return { ...rest, properties, oneOf: oneOf.map(({ required }) => ({ required })) }
}

function isClosed(form: unknown): form is JsonObject {
  return isObject(form) && form['additionalProperties'] === false && isObject(form['properties'])
}

/**
 * Joins a field of several forms. Its schema must be equal in all of them, except for the constant that identifies the
 * form.
 */
function join(existingField: JsonObject, field: JsonObject): JsonObject {
  if (!('const' in field)) return existingField
  return {
    enum: [
      ...(Array.isArray(existingField['enum']) ? existingField['enum'] : [existingField['const']]),
      field['const'],
    ],
  }
}

function withoutMessage({ errorMessage: _, ...field }: JsonObject): JsonObject {
  return field
}
