/** Query of a list that is paged by cursor. */
export interface CursorQuery {
  /** Items per page. */
  readonly limit?: number | undefined
  /** Cursor of the page before: the page after it is returned. */
  readonly after?: string | undefined
  /** Cursor of the page after: the page before it is returned. */
  readonly before?: string | undefined
  /** Field to sort by; which ones exist depends on the list. */
  readonly orderBy?: string | undefined
  /** Direction of the order. */
  readonly orderDirection?: 'ASC' | 'DESC' | undefined
  /** Whether the item the cursor names is included. */
  readonly includeCursor?: boolean | undefined
}

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

/** Query of a list that is paged by number. */
export interface PageQuery {
  /** The page, counted from 0. */
  readonly page?: number | undefined
  /** Items per page. */
  readonly limit?: number | undefined
}

/** Query of a list of the first version that is paged by number. */
export interface PageSizeQuery {
  /** The page, counted from 0. */
  readonly page?: number | undefined
  /** Items per page. */
  readonly pageSize?: number | undefined
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

/** Query of the second version's lists of workflows and layouts. */
export interface OffsetQuery {
  /** Items in the answer. */
  readonly limit?: number | undefined
  /** Items that are left out in front. */
  readonly offset?: number | undefined
  /** Field to sort by. */
  readonly orderBy?: string | undefined
  /** Direction of the order. */
  readonly orderDirection?: 'ASC' | 'DESC' | undefined
  /** Text to search for. */
  readonly query?: string | undefined
}
