import type { RJSFSchema } from '@rjsf/utils'

const maxDepth = 20

/**
 * Returns the initial value for a schema: its default, else the defaults of its fields, including those of required
 * object fields. Optional values are omitted, so that only values entered by the user are sent.
 *
 * @param given - The schema of the value.
 * @param resolve - Follows references.
 * @returns The value; `undefined` if there are no defaults.
 */
export function ownDefault(given: unknown, resolve: (schema: RJSFSchema) => RJSFSchema, depth = 0): unknown {
  if (typeof given !== 'object' || given === null || Array.isArray(given) || depth > maxDepth) return undefined
  const schema = resolve(given as RJSFSchema)
  if (schema.default !== undefined) return structuredClone(schema.default)
  const { properties, required = [] } = schema
  if (properties === undefined) return undefined
  const fields = Object.entries(properties).flatMap(([name, field]) => {
    const value =
      isDefaulted(field, resolve) || required.includes(name) ? ownDefault(field, resolve, depth + 1) : undefined
    return value === undefined ? [] : [[name, value] as const]
  })
  return fields.length === 0 ? undefined : Object.fromEntries(fields)
}

function isDefaulted(field: unknown, resolve: (schema: RJSFSchema) => RJSFSchema): boolean {
  return typeof field === 'object' && field !== null && resolve(field as RJSFSchema).default !== undefined
}
