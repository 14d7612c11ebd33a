import { ApiError } from '../error/error.ts'
import type { ApiResult, CallOptions, Paging } from '../operations/operation.ts'
import { checkQuery } from '../wire/query.ts'
import type { AnyInput } from '../wire/request.ts'
import { checkObject } from './check-object.ts'

export type FetchPage = (input: AnyInput, options: CallOptions) => Promise<ApiResult<unknown>>

/** How a list is paged. */
export interface ListRule {
  readonly paging: Paging
  /** The response member with the items. */
  readonly items: string
}

interface AnyPage {
  readonly items: readonly unknown[]
  readonly next?: unknown
  readonly page?: unknown
  readonly hasMore?: unknown
  readonly totalCount?: unknown
  readonly pageSize?: unknown
}

interface Walk {
  readonly query: Readonly<Record<string, unknown>>
  /** The cursors of the most recent pages. */
  readonly cursors: Set<string>
  /** How many pages in a row had no items. */
  emptyPages: number
}

const maxEmptyPages = 10
const maxKeptCursors = 10_000
const maxCursorLength = 4096

/**
 * Yields the items of a page and of all later pages; a page is fetched when its first item is requested.
 *
 * @throws ApiError - A page failed, or `AnswerUnreadable` for a response that is not a page or a list that does not
 *   end.
 * @source service-api.md#pagination
 */
export async function* each(
  fetchPage: FetchPage,
  rule: ListRule,
  call: { readonly input: AnyInput; readonly options: CallOptions },
): AsyncGenerator<unknown, void, undefined> {
  const { input, options } = call
  checkObject('input', input)
  if (input['query'] !== undefined) checkQuery(input['query'])
  let query: Walk['query'] | undefined = { ...input['query'] }
  const walk = { cursors: new Set<string>(), emptyPages: 0 }
  while (query !== undefined) {
    const { data } = await fetchPage({ ...input, query }, options)
    const page = toPage(data, rule.items)
    yield* page.items
    walk.emptyPages = page.items.length === 0 ? walk.emptyPages + 1 : 0
    query = toNext[rule.paging](page, Object.assign(walk, { query }))
  }
}

const toNext: Readonly<Record<Paging, (page: AnyPage, walk: Walk) => Walk['query'] | undefined>> = {
  cursor: toNextCursor,
  page: toNextNumber,
  pageSize: toNextNumber,
  offset: toNextOffset,
}

function toNextCursor({ next }: AnyPage, { query, cursors, emptyPages }: Walk): Walk['query'] | undefined {
  if (next === undefined || next === null || next === '') return undefined
  if (typeof next !== 'string' || next.length > maxCursorLength) {
    throw unreadable(`The cursor for the next page is not a string of at most ${maxCursorLength} characters.`)
  }
  if (cursors.has(next) || next === query['after']) throw unreadable('The list does not end: a cursor was repeated.')
  if (emptyPages >= maxEmptyPages) {
    throw unreadable(`The list does not end: ${maxEmptyPages} consecutive empty pages pointed to a next page.`)
  }
  // Bounds memory; cycles of up to this many pages are detected.
  if (cursors.size >= maxKeptCursors) cursors.clear()
  cursors.add(next)
  // These two only apply to the first page: on later pages they would return the cursor's item again.
  const { before: _before, includeCursor: _includeCursor, ...rest } = query
  return { ...rest, after: next }
}

function toNextNumber(page: AnyPage, { query }: Walk): Walk['query'] | undefined {
  const number = Number(query['page'] ?? 0)
  if (typeof page.page === 'number' && page.page !== number) {
    throw unreadable(`Page ${number} of the list was requested, but page ${page.page} was returned.`)
  }
  const seenCount = (number + 1) * Number(page.pageSize ?? page.items.length)
  const hasMore = doesFollow(page, seenCount)
  // An empty page ends the list, even if it names a next page; otherwise the list might not end.
  return hasMore && page.items.length > 0 ? { ...query, page: number + 1 } : undefined
}

function toNextOffset(page: AnyPage, { query }: Walk): Walk['query'] | undefined {
  const offset = Number(query['offset'] ?? 0) + page.items.length
  const hasMore = doesFollow(page, offset)
  return hasMore && page.items.length > 0 ? { ...query, offset } : undefined
}

/**
 * Returns whether another page follows. A page without this information is an error, because the rest of the list would
 * silently be missing.
 */
function doesFollow({ items, hasMore, totalCount }: AnyPage, seenCount: number): boolean {
  if (typeof hasMore === 'boolean') return hasMore
  if (typeof totalCount === 'number') return seenCount < totalCount
  if (items.length === 0) return false
  throw unreadable('The page has neither hasMore nor totalCount, so it is unclear whether more pages follow.')
}

function toPage(data: unknown, name: string): AnyPage {
  const items: unknown =
    typeof data === 'object' && data !== null && Object.hasOwn(data, name) && Reflect.get(data, name)
  if (Array.isArray(items)) return { ...(data as object), items }
  throw unreadable('The API returned something other than a list page.')
}

function unreadable(message: string): ApiError {
  return new ApiError('AnswerUnreadable', message)
}
