import { compare } from '../report/mismatch.ts'

/**
 * Finds the first mismatch between a value and a vector's pattern. They must be equal, except that `{ "$any": type }`
 * matches any value of the JSON type, and `{ "$contains": object }` matches an object with at least these fields.
 *
 * @param value - The parsed JSON value.
 * @returns The mismatch as a sentence; `undefined` if there is none.
 */
export function findFault(value: unknown, pattern: unknown): string | undefined {
  const mismatch = compare(value, pattern, {
    decide: (actual, wanted) => (isAny(wanted) ? typeOf(actual) === wanted.$any : undefined),
    fieldsOf: (wanted) => ('$contains' in wanted ? partsOf(wanted.$contains) : { fields: wanted, exact: true }),
  })
  if (!mismatch) return undefined
  const { path, expected, actual } = mismatch
  return `${path || 'the body'} is ${JSON.stringify(actual)}, not ${JSON.stringify(expected)}`
}

function isAny(pattern: unknown): pattern is { readonly $any: unknown } {
  return typeof pattern === 'object' && pattern !== null && '$any' in pattern
}

function partsOf(contained: unknown): { readonly fields: object; readonly exact: boolean } {
  return { fields: contained as object, exact: false }
}

function typeOf(value: unknown): string {
  if (value === null) return 'null'
  return Array.isArray(value) ? 'array' : typeof value
}
