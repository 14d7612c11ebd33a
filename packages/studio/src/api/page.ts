/** One page of a list by cursor. */
export interface CursorPage<T> {
  /** The items. */
  readonly data: readonly T[]
  /** Sent as `after` for the next page; null on the last one. */
  readonly next: string | null
  /** Sent as `before` for the previous page; null on the first one. */
  readonly previous: string | null
  /** How many items match. */
  readonly totalCount: number
  /** Whether more than that match. */
  readonly totalCountCapped?: boolean
}

/** One page of a list by number. */
export interface NumberedPage<T> {
  /** The items. */
  readonly data: readonly T[]
  /** Its number, from 0. */
  readonly page: number
  /** Whether there are more. */
  readonly hasMore: boolean
}
