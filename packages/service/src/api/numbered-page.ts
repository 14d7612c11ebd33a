import type { z } from 'zod'
import { queryNumber } from './input.ts'

/** The parameters of a list by page number, to be spread into the schema of a query. */
export interface PageFields {
  /** The page, counted from 0. */
  readonly page: z.ZodType<number>
  /** Most items of a page. */
  readonly limit: z.ZodType<number>
}

/** The last page that can be asked for. */
export const maxPage = 1_000_000

/**
 * Returns the parameters of a list by page number.
 *
 * @param bounds - Items of a page: how many if nothing is said, and at most.
 */
export function pageFields({ limit, max }: { readonly limit: number; readonly max: number }): PageFields {
  return { page: queryNumber({ fallback: 0, max: maxPage }), limit: queryNumber({ fallback: limit, min: 1, max }) }
}

/** One page of a list. @source service-api.md#pagination */
export interface NumberedPage<TItem> {
  /** The items. */
  readonly data: readonly TItem[]
  /** The page, counted from 0. */
  readonly page: number
  /** Most items of a page. */
  readonly pageSize: number
  /** Whether another page follows. */
  readonly hasMore: boolean
}

/**
 * Returns a page from rows, of which one more was read than fits.
 *
 * @param rows - The rows, at most `limit` and one.
 */
export function toNumberedPage<TItem>(
  rows: readonly TItem[],
  { page, limit }: { readonly page: number; readonly limit: number },
): NumberedPage<TItem> {
  return { data: rows.slice(0, limit), page, pageSize: limit, hasMore: rows.length > limit }
}
