/** One page of a cursor-paginated list. */
export interface CursorPage<T> {
  /** The items. */
  readonly data: readonly T[]
  /** The value of `after` for the next page; null on the last one. */
  readonly next: string | null
  /** The value of `before` for the previous page; null on the first one. */
  readonly previous: string | null
  /** The number of matching items. */
  readonly totalCount: number
  /** Whether more items match than were counted. */
  readonly totalCountCapped?: boolean
}

/** One page of a list with numbered pages. */
export interface NumberedPage<T> {
  /** The items. */
  readonly data: readonly T[]
  /** The page number, starting at 0. */
  readonly page: number
  /** Whether more pages follow. */
  readonly hasMore: boolean
}
