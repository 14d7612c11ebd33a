/** What databases say when others were faster, when they start, stop or have no connection or no room left. */
const codes: ReadonlySet<unknown> = new Set([
  ...['40001', '40P01', '53100', '53300', '57P01', '57P02', '57P03', '08000', '08003', '08006'],
  ...['SQLITE_BUSY', 'SQLITE_BUSY_SNAPSHOT', 'SQLITE_BUSY_RECOVERY', 'SQLITE_LOCKED', 'SQLITE_FULL'],
])

/** The database cannot be reached; what was asked for may work a little later. */
export class UnreachableStoreError extends Error {
  override readonly name = 'UnreachableStoreError'

  /**
   * @param cause - What the driver said.
   */
  constructor(cause: unknown) {
    super('The database cannot be reached.', { cause })
  }
}

/**
 * Returns whether a query failed because the database is at its limit, or away for now: others wrote the same rows again
 * and again, another process holds its file, its disk is full, or it starts anew. The same request may work a little later.
 *
 * @param error - What was thrown.
 */
export function isOverload(error: unknown): boolean {
  return error instanceof UnreachableStoreError || codes.has((error as { readonly code?: unknown } | null)?.code)
}
