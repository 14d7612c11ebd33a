import { ApiError } from '../error/error.ts'

/**
 * Writes a query: lists as repeated keys, absent values not at all.
 *
 * @param query - Texts, finite numbers, booleans, or lists of these, by name.
 * @returns The text behind the path, with its question mark; empty without parameters.
 * @throws ApiError - `RequestInvalid` for a value that a query cannot carry.
 * @source Specification, "Pagination".
 */
export function toQuery(query: unknown): string {
  if (query === undefined) return ''
  if (typeof query !== 'object' || query === null || Array.isArray(query)) {
    throw new ApiError('RequestInvalid', 'query must be an object of parameters.')
  }
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    for (const item of [value as unknown].flat()) {
      if (item !== undefined && item !== null) search.append(name, toText(name, item))
    }
  }
  const text = search.toString()
  return text === '' ? '' : `?${text}`
}

function toText(name: string, value: unknown): string {
  const isText = typeof value === 'string' && !/\p{Surrogate}/u.test(value)
  if (isText || typeof value === 'boolean' || Number.isFinite(value)) return String(value)
  throw new ApiError('RequestInvalid', `query.${name} must be a text, a finite number, a boolean or a list of these.`)
}
