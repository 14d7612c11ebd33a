/** Reports that a command was called in a wrong way; the exit status is 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}
