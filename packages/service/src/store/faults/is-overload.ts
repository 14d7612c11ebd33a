import { errorCode } from './error-code.ts'

/** What databases say when others were faster, when they start, stop, take no writes or have no connection, room or time left. */
const codes: readonly RegExp[] = [
  // PostgreSQL's classes: conflicts, connections, resources, the operator, a standby that is not the primary yet, its disk.
  /^(40001|40P01|08...|53...|57P..|57014|55P03|25006|25P0[34]|58...)$/,
  /^SQLITE_(BUSY|LOCKED|FULL|IOERR|READONLY|CANTOPEN|NOMEM|PROTOCOL)(_|$)/,
]

/** The database cannot be reached; what was asked for may work a little later. */
export class UnreachableStoreError extends Error {
  override readonly name = 'UnreachableStoreError'

  /**
   * @param cause - What the driver said.
   */
  constructor(cause: unknown) {
    const { message, code } = (cause ?? {}) as { readonly message?: unknown; readonly code?: unknown }
    super(`The database cannot be reached: ${String(message || code)}`, { cause })
  }
}

/**
 * Returns whether a query failed because the database is at its limit, or away for now: others wrote the same rows again
 * and again, another process holds its file, its disk is full, or it starts anew. The same request may work a little later.
 *
 * @param error - What was thrown.
 */
export function isOverload(error: unknown): boolean {
  return error instanceof UnreachableStoreError || hasCode(errorCode(error))
}

const hasCode = (code: string): boolean => codes.some((pattern) => pattern.test(code))
