/** Reports incorrect usage of a command; the exit status is 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}
