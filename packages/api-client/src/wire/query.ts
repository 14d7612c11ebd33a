import { ApiError } from '../error/error.ts'

/**
 * Writes a query: lists as repeated keys, absent values not at all.
 *
 * @param query - Texts, finite numbers, booleans, or lists of these, by name.
 * @returns The text behind the path, with its question mark; empty without parameters.
 * @throws ApiError - `RequestInvalid` for a value that a query cannot carry.
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
 * Checks that a query is an object of parameters. One that holds them elsewhere, such as a `Map`, `URLSearchParams` or a
 * promise, would be sent without any.
 *
 * @param query - The query of a call.
 * @throws ApiError - `RequestInvalid`.
 */
export function checkQuery(query: unknown): asserts query is object {
  if (Object.prototype.toString.call(query) === '[object Object]') return
  throw new ApiError('RequestInvalid', 'query must be an object of parameters.')
}

/** A list without items cannot be written: the API would take it for no filter, and answer everything. */
function toItems(name: string, list: readonly unknown[]): readonly unknown[] {
  if (list.length > 0) return list
  throw new ApiError('RequestInvalid', `query.${name} is an empty list, which a query cannot represent; leave it out.`)
}

function toText(name: string, value: unknown): string {
  const isText = typeof value === 'string' && !/\p{Surrogate}/u.test(value)
  if (isText || typeof value === 'boolean' || Number.isFinite(value)) return String(value)
  throw new ApiError('RequestInvalid', `query.${name} must be a string, a finite number, a boolean or a list of these.`)
}
