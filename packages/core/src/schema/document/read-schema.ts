import { isObject } from '../../base/json.ts'
import { toThrown } from '../../base/thrown.ts'
import { toPlainSchema } from './plain-schema.ts'
import { resolveReferences } from './resolve-references.ts'
import { findSchemaFault } from './schema-fault.ts'
import { mapSubschemas } from './subschemas.ts'

const limits = [
  ['exclusiveMinimum', 'minimum'],
  ['exclusiveMaximum', 'maximum'],
] as const
const oldKeywords = /"(?:nullable|exclusive(?:Min|Max)imum)"/

/**
 * Takes a JSON Schema in: as plain data of our own, all references within the document and from its root.
 *
 * @param given - The schema; it is not changed.
 * @returns The schema, with whether it may hold references; or a sentence about what is wrong with it.
 */
export function readSchema(
  given: unknown,
): { readonly schema: unknown; readonly refers: boolean; readonly fault?: undefined } | { readonly fault: string } {
  const fault = findSchemaFault(given)
  if (fault !== undefined) return { fault }
  const plain = toPlainSchema(given)
  const printed = print(plain)
  if (printed.fault !== undefined) return printed
  // Most schemas hold none of these words, and a walk through each of them would be most of a cold start.
  const { text } = printed
  const schema = oldKeywords.test(text) ? withTodaysKeywords(plain) : plain
  const refers = text.includes('"$')
  const wrong = refers ? resolveReferences(schema) : undefined
  return wrong === undefined ? { schema, refers } : { fault: wrong }
}

/** Published schemas must be JSON, also where no keyword is known. */
function print(schema: unknown): { readonly text: string; readonly fault?: undefined } | { readonly fault: string } {
  try {
    return { text: JSON.stringify(schema) ?? '' }
  } catch (error) {
    return { fault: `it cannot be printed as JSON: ${toThrown(error).message}` }
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
