/** JSON Schemas of what tools return. They describe the parts an agent works with; objects of an app are left open. */

/** Any JSON object. */
export const anyObject: object = { type: 'object' }

/** A string. */
export const string: object = { type: 'string' }

/** A string, or null. */
export const stringOrNull: object = { type: ['string', 'null'] }

/** An integer. */
export const integer: object = { type: 'integer' }

/** True or false. */
export const boolean: object = { type: 'boolean' }

/**
 * Returns the schema of a list.
 *
 * @param items - The schema of its items.
 */
export function listOf(items: object): object {
  return { type: 'array', items }
}

/**
 * Returns the schema of an object whose listed properties are always present.
 *
 * @param properties - Its properties.
 */
export function objectOf(properties: Readonly<Record<string, object>>): object {
  return { type: 'object', properties, required: Object.keys(properties) }
}

/**
 * Returns a schema that takes null, too.
 *
 * @param schema - The schema.
 */
export function orNull(schema: object): object {
  return { anyOf: [schema, { type: 'null' }] }
}

/** An error with what to do. */
export const error: object = objectOf({ code: stringOrNull, message: string, fix: stringOrNull })

/** A change of a contract. */
export const change: object = objectOf({
  kind: { enum: ['breaking', 'notice', 'safe'] },
  path: string,
  message: string,
})

/** Where the next page begins; null at the end. */
export const next: object = { ...stringOrNull, description: 'Pass it as `after` for the next page; null at the end.' }
