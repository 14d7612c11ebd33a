import type { JsonObject } from '@trestle/protocol'
import { createTextCache } from '../../../base/text-cache.ts'
import { compileSchema } from '../../../schema/compile-schema.ts'
import type { Schema } from '../../../schema/schema-types.ts'

/** The keywords that say which texts a place can have. */
export const textLimits: readonly string[] = ['format', 'pattern', 'minLength', 'maxLength', 'not']

/** Whether a value keeps some limits. */
export type Filter = (value: unknown) => boolean

const filters = createTextCache<Filter>()

/** The filter of a schema without limits. */
export const any: Filter = () => true

/**
 * Returns whether values fit the limits of a schema; kept, because a place is read in every run.
 *
 * @param schema - The schema.
 * @param keywords - Those of its limits that count.
 */
export function toFilter(schema: JsonObject, keywords: readonly string[]): Filter {
  const own = keywords.filter((keyword) => Object.hasOwn(schema, keyword))
  if (own.length === 0) return any
  if (own.length === 1 && schema['type'] === 'number') return any
  if (own.length === 1 && schema['type'] === 'integer') return Number.isInteger
  const limits = Object.fromEntries(own.map((keyword) => [keyword, schema[keyword]]))
  return filters.get(JSON.stringify(limits), () => compileFilter(limits))
}

function compileFilter(limits: JsonObject): Filter {
  try {
    const compiled = compileSchema(limits as Schema)
    return (value) => {
      const verdict = compiled.check(value)
      return verdict instanceof Promise || verdict.issues === undefined
    }
  } catch {
    return () => true
  }
}
