import type { z } from 'zod'
import { queryNumber } from './input.ts'

/** Parameters of a list with page numbers, to be spread into a query schema. */
export interface PageFields {
  /** The page, from 0. */
  readonly page: z.ZodType<number>
  /** The maximum number of items per page. */
  readonly limit: z.ZodType<number>
}

/** The highest page number that can be requested. */
export const maxPage = 1_000_000

/**
 * Returns the parameters of a list with page numbers.
 *
 * @param bounds - The default and the maximum number of items per page.
 */
export function pageFields({ limit, max }: { readonly limit: number; readonly max: number }): PageFields {
  return { page: queryNumber({ fallback: 0, max: maxPage }), limit: queryNumber({ fallback: limit, min: 1, max }) }
}

/** One page of a list. @source service-api.md#pagination */
export interface NumberedPage<TItem> {
  readonly data: readonly TItem[]
  /** The page, from 0. */
  readonly page: number
  /** The maximum number of items per page. */
  readonly pageSize: number
  /** Whether another page follows. */
  readonly hasMore: boolean
}

/**
 * Returns a page of rows. The query must request one row beyond the page.
 *
 * @param rows - At most `limit` + 1 rows.
 */
export function toNumberedPage<TItem>(
  rows: readonly TItem[],
  { page, limit }: { readonly page: number; readonly limit: number },
): NumberedPage<TItem> {
  return { data: rows.slice(0, limit), page, pageSize: limit, hasMore: rows.length > limit }
}
