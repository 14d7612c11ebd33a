/** A validation error in a value. */
export interface Issue {
  /** JSON pointer to the invalid part, `''` for the value itself. */
  readonly path: string
  /** A human-readable description of the problem. */
  readonly message: string
}

/** The maximum number of issues in a response. */
export const maxIssues = 50

/**
 * Converts a path in a JSON value to a JSON pointer.
 *
 * @param segments - Keys and indexes, outermost first.
 * @source RFC 6901, section 3.
 * @example
 * toPointer(['items', 0, 'a/b']) // '/items/0/a~1b'
 */
export function toPointer(segments: readonly PropertyKey[]): string {
  return segments.map((segment) => `/${String(segment).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')
}
