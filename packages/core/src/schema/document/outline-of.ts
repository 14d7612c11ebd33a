import type { JsonObject } from '@trestle/protocol'
import { isObject } from '../../base/json.ts'

/**
 * Returns a short form of a closed object or of a choice between several: all fields, each named once, and which of them
 * must be there. It accepts all that the schema accepts. Which fields go together, that there are no others, and what
 * is said of a wrong value is left to the schema itself. Any other schema is returned as it is.
 */
export function outlineOf(schema: JsonObject): JsonObject {
  const { oneOf, additionalProperties: _, ...rest } = schema
  if (isClosed(schema)) return rest
  if (!Array.isArray(oneOf) || !oneOf.every(isClosed)) return schema
  const properties: Record<string, JsonObject> = {}
  for (const form of oneOf)
    for (const [name, field] of Object.entries(form['properties'] as Record<string, JsonObject>)) {
      const known = properties[name]
      properties[name] = known ? join(known, field) : withoutMessage(field)
    }
  return { ...rest, properties, oneOf: oneOf.map(({ required }) => ({ required })) }
}

function isClosed(form: unknown): form is JsonObject {
  return isObject(form) && form['additionalProperties'] === false && isObject(form['properties'])
}

/** A field of several forms says the same in all of them, but for the constant that names the form. */
function join(known: JsonObject, field: JsonObject): JsonObject {
  if (!('const' in field)) return known
  return { enum: [...(Array.isArray(known['enum']) ? known['enum'] : [known['const']]), field['const']] }
}

function withoutMessage({ errorMessage: _, ...field }: JsonObject): JsonObject {
  return field
}
