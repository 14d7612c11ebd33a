import { isObject } from '@trestle/protocol'
import type { SampleLocation } from './sample-location.ts'

// A recursive field is displayed with one nested level.
const maxVisits = 2

/**
 * Returns whether a schema refers to one of its parents. Such a value is omitted if it is optional: otherwise a schema
 * with a few recursive fields would have a sample of millions of values.
 *
 * @param schema - The schema, with references unresolved.
 * @param place - The location of the value.
 */
export function isRecursive(schema: unknown, { followed, lazy }: SampleLocation): boolean {
  // Lazily created values only exist as far as the code reads them.
  if (lazy) return false
  const reference = referenceOf(schema)
  return (
    reference !== undefined &&
    followed.filter((followedReference) => followedReference === reference).length >= maxVisits
  )
}

/**
 * Returns whether a schema accepts no value.
 *
 * @param schema - A JSON Schema.
 */
export function isNothing(schema: unknown): boolean {
  if (schema === false) return true
  const not = isObject(schema) ? schema['not'] : undefined
  return not === true || (isObject(not) && Object.keys(not).length === 0)
}

/**
 * Records the reference that was followed to a location.
 *
 * @param schema - The schema, with references unresolved.
 * @param place - Its location.
 */
export function follow(schema: unknown, place: SampleLocation): SampleLocation {
  const reference = referenceOf(schema)
  return reference === undefined ? place : { ...place, followed: [...place.followed, reference] }
}

function referenceOf(schema: unknown): string | undefined {
  return isObject(schema) && typeof schema['$ref'] === 'string' ? schema['$ref'] : undefined
}
