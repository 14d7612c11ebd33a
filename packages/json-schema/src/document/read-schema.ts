import { isObject } from '@trestle/protocol'
import { toPlainSchema } from './plain-schema.ts'
import { resolveReferences } from './resolve-references.ts'
import { findSchemaFault } from './schema-fault.ts'
import { mapSubschemas } from './subschemas.ts'

const limits = [
  ['exclusiveMinimum', 'minimum'],
  ['exclusiveMaximum', 'maximum'],
] as const
const draft4 = /\/draft-04\//
const oldKeywords = new RegExp(`"(?:nullable|exclusive(?:Min|Max)imum)"|${draft4.source}`)

/**
 * Reads a JSON Schema: copies it to plain data, with all references relative to its root.
 *
 * @param given - The schema, which is not modified.
 * @returns The schema, and whether it may contain references; or an error sentence.
 * @example
 * readSchema({ type: 'strng' }) // { fault: 'it has the type "strng", which JSON does not have' }
 */
export function readSchema(
  given: unknown,
): { readonly schema: unknown; readonly refers: boolean; readonly fault?: undefined } | { readonly fault: string } {
  const fault = findSchemaFault(given)
  if (fault !== undefined) return { fault }
  const plain = toPlainSchema(given)
  const printed = print(plain)
  if (printed.fault !== undefined) return printed
  // Most schemas contain none of these keywords, and walking through every schema would dominate a cold start.
  const { text } = printed
  const schema = oldKeywords.test(text) ? withTodaysKeywords(plain, isDraft4(plain)) : plain
  const refers = text.includes('"$')
  const wrong = refers ? resolveReferences(schema) : undefined
  return wrong === undefined ? { schema, refers } : { fault: wrong }
}

/** Serializes a schema. Published schemas must be valid JSON, even in unknown keywords. */
function print(schema: unknown): { readonly text: string; readonly fault?: undefined } | { readonly fault: string } {
  try {
    return { text: JSON.stringify(schema) ?? '' }
  } catch (error) {
    return { fault: `it cannot be printed as JSON: ${String((error as Error).message)}` }
  }
}

function isDraft4(schema: unknown): boolean {
  return isObject(schema) && draft4.test(String(schema['$schema']))
}

/**
 * Converts old keywords: in draft 4, `id` is a name and a boolean makes a limit exclusive, and in OpenAPI 3.0,
 * `nullable` adds the type null.
 */
function withTodaysKeywords(schema: unknown, hasIds: boolean): unknown {
  if (!isObject(schema)) return schema
  const copy = mapSubschemas(schema, (sub) => withTodaysKeywords(sub, hasIds))
  if (hasIds && typeof copy['id'] === 'string') {
    copy['$id'] = copy['id']
    delete copy['id']
  }
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
