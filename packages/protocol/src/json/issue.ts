/** A validation error in a value. */
export interface Issue {
  /** JSON pointer to the invalid part, `''` for the value itself. */
  readonly path: string
  /** A human-readable description of the problem. */
  readonly message: string
}

/** The maximum number of issues in a response. */
export const maxIssues = 50
