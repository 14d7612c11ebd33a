/**
 * JSON Schemas of tool results. They describe the parts an agent works with; app-defined objects can have any
 * properties.
 */

export const anyObject: object = { type: 'object' }

export const string: object = { type: 'string' }

export const stringOrNull: object = { type: ['string', 'null'] }

export const integer: object = { type: 'integer' }

export const boolean: object = { type: 'boolean' }

/** Returns the schema of a list. */
export function listOf(items: object): object {
  return { type: 'array', items }
}

/** Returns the schema of an object whose listed properties are always present. */
export function objectOf(properties: Readonly<Record<string, object>>): object {
  return { type: 'object', properties, required: Object.keys(properties) }
}

/** Returns a nullable schema. */
export function orNull(schema: object): object {
  return { anyOf: [schema, { type: 'null' }] }
}

/** An error with its fix. */
export const error: object = objectOf({ code: stringOrNull, message: string, fix: stringOrNull })

/** A change to a contract. */
export const change: object = objectOf({
  kind: { enum: ['breaking', 'notice', 'safe'] },
  path: string,
  message: string,
})

/** The cursor of the next page; null on the last page. */
export const next: object = { ...stringOrNull, description: 'Pass it as `after` for the next page; null at the end.' }
