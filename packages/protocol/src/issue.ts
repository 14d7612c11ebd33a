/** One thing that is wrong with a value. */
export interface Issue {
  /** JSON pointer to the place, `''` for the value itself. */
  readonly path: string
  /** The fault, for a person. */
  readonly message: string
}

/** How many issues an answer lists at most. */
export const maxIssues = 50

/**
 * Writes the way to a place in a JSON value as a JSON pointer.
 *
 * @param segments - Keys and indexes from the outside in.
 * @source RFC 6901, section 3.
 * @example
 * toPointer(['items', 0, 'a/b']) // '/items/0/a~1b'
 */
export function toPointer(segments: readonly PropertyKey[]): string {
  return segments.map((segment) => `/${String(segment).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')
}
