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
  return filters.get(keyOfLimits(schema, own), () =>
    compileFilter(Object.fromEntries(own.map((keyword) => [keyword, schema[keyword]]))),
  )
}

/**
 * Returns a text that is the same for schemas with the same limits.
 *
 * @param schema - The schema.
 * @param keywords - Those of its limits that count.
 */
export function keyOfLimits(schema: JsonObject, keywords: readonly string[]): string {
  return JSON.stringify(keywords.map((keyword) => [keyword, schema[keyword]]))
}

/** What the texts of a format look like, for as long as the library that knows them is not there. */
const forms: Readonly<Record<string, RegExp>> = {
  email: /^[^\s@]+@[^\s@]+\.[^\s@]+$/,
  uri: /^[a-z][a-z\d+.-]*:\S+$/i,
  uuid: /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i,
  date: /^\d{4}-\d\d-\d\d$/,
  ipv4: /^\d{1,3}(\.\d{1,3}){3}$/,
}

function compileFilter(limits: JsonObject): Filter {
  try {
    const compiled = compileSchema(limits as Schema)
    const { format, ...others } = limits
    const rest = toFilter(others, Object.keys(others))
    const form = forms[String(format)]
    return (value) => {
      const verdict = compiled.check(value)
      if (verdict instanceof Promise) return rest(value) && (form?.test(String(value)) ?? true)
      return verdict.issues === undefined
    }
  } catch {
    return () => true
  }
}
