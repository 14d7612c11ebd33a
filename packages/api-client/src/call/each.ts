import { ApiError } from '../error/error.ts'
import type { ApiResult, CallOptions, Paging } from '../operations/operation.ts'
import type { AnyInput } from '../wire/request.ts'

/** Fetches one page. */
export type FetchPage = (input: AnyInput, options: CallOptions) => Promise<ApiResult<unknown>>

interface AnyPage {
  readonly data: readonly unknown[]
  readonly next?: unknown
  readonly hasMore?: unknown
  readonly totalCount?: unknown
  readonly pageSize?: unknown
}

type Query = Readonly<Record<string, unknown>>

/**
 * Gives the items of a page and of all that follow; a page is fetched when its first item is asked for.
 *
 * @param fetchPage - Fetches one page.
 * @param paging - How the list is paged.
 * @param call - What the caller gave.
 * @throws ApiError - A page failed, or a list does not end: its cursor comes again.
 * @source Specification, "Pagination".
 */
export async function* each(
  fetchPage: FetchPage,
  paging: Paging,
  call: { readonly input: AnyInput; readonly options: CallOptions },
): AsyncGenerator<unknown, void, undefined> {
  const { input, options } = call
  const seen = new Set<unknown>()
  let query: Query | undefined = { ...(input['query'] as Query | undefined) }
  while (query !== undefined) {
    const { data } = await fetchPage({ ...input, query }, options)
    const page = toPage(data)
    yield* page.data
    query = paging === 'cursor' ? toNextCursor(page, query, seen) : toNextNumber(page, query)
  }
}

function toNextCursor(page: AnyPage, query: Query, seen: Set<unknown>): Query | undefined {
  const { next } = page
  if (typeof next !== 'string' || next === '') return undefined
  if (seen.has(next)) throw new ApiError('AnswerUnreadable', 'The list does not end: a cursor came twice.')
  seen.add(next)
  // These two are about the first page: the cursor's own item would come again on every following one.
  const { before: _before, includeCursor: _includeCursor, ...rest } = query
  return { ...rest, after: next }
}

function toNextNumber(page: AnyPage, query: Query): Query | undefined {
  const number = Number(query['page'] ?? 0)
  const seenCount = (number + 1) * Number(page.pageSize ?? page.data.length)
  const hasMore = typeof page.hasMore === 'boolean' ? page.hasMore : seenCount < Number(page.totalCount ?? 0)
  // A page without items ends the list whatever it says, or it might never end.
  return hasMore && page.data.length > 0 ? { ...query, page: number + 1 } : undefined
}

function toPage(data: unknown): AnyPage {
  const items: unknown = typeof data === 'object' && data !== null ? Reflect.get(data, 'data') : undefined
  if (Array.isArray(items)) return data as AnyPage
  throw new ApiError('AnswerUnreadable', 'The API answered with something that is not a page of a list.')
}
