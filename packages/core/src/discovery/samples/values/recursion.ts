import { isObject } from '../../../base/json.ts'
import type { SampleLocation } from './sample-location.ts'

// A field that leads back is shown with one of its own inside.
const maxVisits = 2

/**
 * Returns whether a schema leads back to one that the place lies in. Such a place is left out where that is allowed:
 * otherwise a schema with a few fields that lead back would have a sample of millions of values.
 *
 * @param schema - The schema, references not followed.
 * @param place - Where it is for.
 */
export function isRecursive(schema: unknown, { followed, lazy }: SampleLocation): boolean {
  // What is made when it is read ends where the code stops reading.
  if (lazy) return false
  const reference = referenceOf(schema)
  return reference !== undefined && followed.filter((known) => known === reference).length >= maxVisits
}

/**
 * Returns whether no value fits a schema.
 *
 * @param schema - The schema.
 */
export function isNothing(schema: unknown): boolean {
  if (schema === false) return true
  const not = isObject(schema) ? schema['not'] : undefined
  return not === true || (isObject(not) && Object.keys(not).length === 0)
}

/**
 * Notes the reference that leads to a place.
 *
 * @param schema - The schema, references not followed.
 * @param place - Where it is for.
 */
export function follow(schema: unknown, place: SampleLocation): SampleLocation {
  const reference = referenceOf(schema)
  return reference === undefined ? place : { ...place, followed: [...place.followed, reference] }
}

function referenceOf(schema: unknown): string | undefined {
  return isObject(schema) && typeof schema['$ref'] === 'string' ? schema['$ref'] : undefined
}
