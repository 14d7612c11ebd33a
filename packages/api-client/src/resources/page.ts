/** A page of a list that is paged by cursor. */
export interface CursorPage<TItem> {
  /** The items. */
  readonly data: readonly TItem[]
  /** Cursor of the next page; `null` on the last one. */
  readonly next: string | null
  /** Cursor of the page before; `null` on the first one. */
  readonly previous: string | null
  /** Number of items that match, counted up to 50 000. */
  readonly totalCount?: number
  /** Whether more than 50 000 match. */
  readonly totalCountCapped?: boolean
}

/** The members of every page that is asked for by number. */
export interface NumberedPage<TItem> {
  /** The items. */
  readonly data: readonly TItem[]
  /** The page, counted from 0. */
  readonly page: number
  /** Items per page. */
  readonly pageSize: number
}

/** A page of a list that says whether another follows. */
export interface OpenPage<TItem> extends NumberedPage<TItem> {
  /** Whether another page follows. */
  readonly hasMore: boolean
  /** Number of items that match, where the list counts them. */
  readonly totalCount?: number
}

/** A page of a list that counts its items. */
export interface CountedPage<TItem> extends NumberedPage<TItem> {
  /** Number of items that match. */
  readonly totalCount: number
}
