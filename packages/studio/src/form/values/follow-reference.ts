import { findReference, isObject } from '@trestle/protocol'
import type { JsonSchema } from '../../api/json-schema.ts'

/** The maximum length of a chain of references; a cycle is treated as having no schema. */
const mostHops = 8

/**
 * Follows the `$ref` of a schema. An unresolvable reference allows any value.
 *
 * @param given - The schema; `true` and `false` both allow any value here.
 * @param root - The schema in which references are resolved.
 */
export function followReference(given: unknown, root: JsonSchema): JsonSchema {
  let at = given
  for (let hop = 0; hop < mostHops; hop++) {
    if (!isSchema(at)) return {}
    const reference = at['$ref']
    if (typeof reference !== 'string' || !reference.startsWith('#')) return at
    at = findReference(root, reference)
  }
  return {}
}

/** Returns whether a value is a schema object rather than `true` or `false`. */
export function isSchema(schema: unknown): schema is JsonSchema {
  return isObject(schema)
}
