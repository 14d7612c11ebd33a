import { failureText } from '../../base/failure-text.ts'
import { isObject } from '../../base/json.ts'
import { toPlainSchema } from './plain-schema.ts'
import { resolveReferences } from './resolve-references.ts'
import { findSchemaFault } from './schema-fault.ts'
import { mapSubschemas } from './subschemas.ts'

const limits = [
  ['exclusiveMinimum', 'minimum'],
  ['exclusiveMaximum', 'maximum'],
] as const

/**
 * Takes a JSON Schema in: as plain data of our own, all references within the document and from its root.
 *
 * @param given - The schema; it is not changed.
 * @returns The schema, or a sentence about what is wrong with it.
 */
export function readSchema(
  given: unknown,
): { readonly schema: unknown; readonly fault?: undefined } | { readonly fault: string } {
  const fault = findSchemaFault(given)
  if (fault !== undefined) return { fault }
  const schema = withTodaysKeywords(toPlainSchema(given))
  const odd = findUnprintable(schema)
  if (odd !== undefined) return { fault: odd }
  const wrong = resolveReferences(schema)
  return wrong === undefined ? { schema } : { fault: wrong }
}

/** Published schemas must be JSON, also where no keyword is known. */
function findUnprintable(schema: unknown): string | undefined {
  try {
    JSON.stringify(schema)
    return undefined
  } catch (error) {
    return `it cannot be printed as JSON: ${failureText(error)}`
  }
}

/**
 * Says in today's keywords what others say: in draft 4 a limit is exclusive by a boolean beside it, and in OpenAPI 3.0
 * `nullable` is what a type of null is.
 */
function withTodaysKeywords(schema: unknown): unknown {
  if (!isObject(schema)) return schema
  const copy = mapSubschemas(schema, withTodaysKeywords)
  for (const [exclusive, limit] of limits)
    if (typeof copy[exclusive] === 'boolean') {
      const isExclusive = copy[exclusive] && copy[limit] !== undefined
      if (isExclusive) copy[exclusive] = copy[limit]
      delete copy[isExclusive ? limit : exclusive]
    }
  const { nullable, type } = copy
  if (typeof nullable !== 'boolean') return copy
  delete copy['nullable']
  if (nullable && type !== undefined) copy['type'] = [...new Set([type, 'null'].flat())]
  return copy
}
