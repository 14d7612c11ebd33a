import { ApiError } from '../error/error.ts'

/**
 * Writes a query: lists as repeated keys, without absent values.
 *
 * @param query - Strings, finite numbers, booleans, or lists of these, by name.
 * @returns The query string including its question mark; empty without parameters.
 * @throws ApiError - `RequestInvalid` for a value that a query cannot represent.
 * @source service-api.md#pagination
 */
export function toQuery(query: unknown): string {
  if (query === undefined) return ''
  checkQuery(query)
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    if (value === undefined || value === null) continue
    if (Array.isArray(value)) for (const item of toItems(name, value)) search.append(name, toText(name, item))
    else search.append(name, toText(name, value))
  }
  const text = search.toString()
  return text === '' ? '' : `?${text}`
}

/**
 * Checks that a query is a plain object. A `Map`, `URLSearchParams` or promise would be sent without parameters.
 *
 * @throws ApiError - `RequestInvalid`.
 */
export function checkQuery(query: unknown): asserts query is object {
  if (Object.prototype.toString.call(query) === '[object Object]') return
  throw new ApiError('RequestInvalid', 'query must be an object of parameters.')
}

/**
 * Returns the items of a list. Rejects an empty list, because it cannot be represented: the API would see no filter,
 * and return everything.
 */
function toItems(name: string, list: readonly unknown[]): readonly unknown[] {
  if (list.length > 0) return list
  throw new ApiError('RequestInvalid', `query.${name} is an empty list, which a query cannot represent; leave it out.`)
}

function toText(name: string, value: unknown): string {
  const isText = typeof value === 'string' && !/\p{Surrogate}/u.test(value)
  if (isText || typeof value === 'boolean' || Number.isFinite(value)) return String(value)
  throw new ApiError('RequestInvalid', `query.${name} must be a string, a finite number, a boolean or a list of these.`)
}
