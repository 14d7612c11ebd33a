/** Query of a list that is paged by cursor. */
export interface CursorQuery {
  /** Items per page. */
  readonly limit?: number
  /** Gives the page after this cursor. */
  readonly after?: string
  /** Gives the page before this cursor. */
  readonly before?: string
  /** Field to sort by; which ones exist depends on the list. */
  readonly orderBy?: string
  /** Direction of the order. */
  readonly orderDirection?: 'ASC' | 'DESC'
  /** Includes the item the cursor names. */
  readonly includeCursor?: boolean
}

/** A page of a list that is paged by cursor. */
export interface CursorPage<TItem> {
  /** The items. */
  readonly data: readonly TItem[]
  /** Cursor of the next page; `null` on the last one. */
  readonly next: string | null
  /** Cursor of the page before; `null` on the first one. */
  readonly previous: string | null
  /** How many items match, counted up to 50 000. */
  readonly totalCount?: number
  /** Whether more than 50 000 match. */
  readonly totalCountCapped?: boolean
}

/** Query of a list that is paged by number. */
export interface PageQuery {
  /** The page, counted from 0. */
  readonly page?: number
  /** Items per page. */
  readonly limit?: number
}

/** A page of a list that is paged by number. */
export interface NumberedPage<TItem> {
  /** The items. */
  readonly data: readonly TItem[]
  /** The page, counted from 0. */
  readonly page: number
  /** Items per page. */
  readonly pageSize: number
  /** Whether another page follows; absent where `totalCount` tells it. */
  readonly hasMore?: boolean
  /** How many items match, where the list tells it. */
  readonly totalCount?: number
}
