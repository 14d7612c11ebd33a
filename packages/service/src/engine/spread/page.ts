/** The start of a page. */
export interface EventPage {
  /** The bucket of its rows. */
  readonly bucket: string
  /** The id before its first one; empty for the first page. */
  readonly after: string
}
