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
