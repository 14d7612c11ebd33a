import { findReference, isObject, type JsonObject } from '@trestle/protocol'

const maxHops = 20
/** Pairs of limits with the function that selects the stricter one. */
const limits: readonly [readonly string[], (...limits: number[]) => number][] = [
  [['minimum', 'exclusiveMinimum', 'minLength', 'minItems', 'minProperties'], Math.max],
  [['maximum', 'exclusiveMaximum', 'maxLength', 'maxItems', 'maxProperties'], Math.min],
]

/**
 * Follows references within the document and merges `allOf`, so that the result describes a value directly.
 *
 * @param schema - A JSON Schema; `true` and invalid values count as `{}`.
 * @param root - The document that references point into.
 */
export function resolveSchema(schema: unknown, root: unknown, hops = 0): JsonObject {
  if (!isObject(schema) || hops > maxHops) return {}
  const { $ref, allOf, ...own } = schema
  const parts: JsonObject[] = []
  if (typeof $ref === 'string') parts.push(resolveSchema(findReference(root, $ref), root, hops + 1))
  if (Array.isArray(allOf)) for (const part of allOf) parts.push(resolveSchema(part, root, hops + 1))
  return parts.length === 0 ? own : [...parts, own].reduce(merge)
}

function merge(left: JsonObject, right: JsonObject): JsonObject {
  const merged = { ...left, ...right }
  if (isObject(left['properties']) && isObject(right['properties']))
    merged['properties'] = { ...left['properties'], ...right['properties'] }
  if (Array.isArray(left['required']) && Array.isArray(right['required']))
    merged['required'] = [...new Set([...left['required'], ...right['required']])]
  const patterns = [left['pattern'], right['pattern']].filter((pattern) => typeof pattern === 'string')
  if (patterns.length === 2) merged['pattern'] = patterns.map((pattern) => `(?=[\\s\\S]*?(?:${pattern}))`).join('')
  for (const [keywords, strictest] of limits)
    for (const keyword of keywords) {
      const both = [left[keyword], right[keyword]].filter((limit) => typeof limit === 'number')
      if (both.length === 2) merged[keyword] = strictest(...both)
    }
  return merged
}

/**
 * Infers the type of a schema without one from its other keywords; `unknown` if they do not imply any.
 *
 * @param schema - The schema, with references resolved.
 */
export function guessType(schema: JsonObject): string {
  if (isObject(schema['properties']) || Object.hasOwn(schema, 'required')) return 'object'
  if (Object.hasOwn(schema, 'items') || Object.hasOwn(schema, 'prefixItems')) return 'array'
  if (Object.hasOwn(schema, 'minLength') || Object.hasOwn(schema, 'pattern') || Object.hasOwn(schema, 'format'))
    return 'string'
  return Object.hasOwn(schema, 'minimum') || Object.hasOwn(schema, 'maximum') ? 'number' : 'unknown'
}
