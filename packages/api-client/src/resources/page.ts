/** A page of a list that is paged by cursor. */
export interface CursorPage<TItem> {
  readonly data: readonly TItem[]
  /** Cursor of the next page; `null` on the last page. */
  readonly next: string | null
  /** Cursor of the previous page; `null` on the first page. */
  readonly previous: string | null
  /** Number of items that match, counted up to 50,000. */
  readonly totalCount?: number
  /** Whether more than 50,000 items match. */
  readonly totalCountCapped?: boolean
}

/** The members of every numbered page. */
export interface NumberedPage<TItem> {
  readonly data: readonly TItem[]
  /** The page number, counted from 0. */
  readonly page: number
  /** Items per page. */
  readonly pageSize: number
}

/** A list page that has `hasMore` instead of a total. */
export interface OpenPage<TItem> extends NumberedPage<TItem> {
  /** Whether there is another page. */
  readonly hasMore: boolean
  /** Number of matching items, if the list counts them. */
  readonly totalCount?: number
}

/** A page of a list that counts its items. */
export interface CountedPage<TItem> extends NumberedPage<TItem> {
  /** Number of matching items. */
  readonly totalCount: number
}
