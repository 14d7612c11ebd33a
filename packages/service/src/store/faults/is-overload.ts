import { errorCode } from './error-code.ts'

/** Database errors of conflicts, startup, shutdown, read-only mode, and missing connections, space or time. */
const codes: readonly RegExp[] = [
  // PostgreSQL's classes: conflicts, connections, resources, operator intervention, a standby that is not yet primary,
  // disk.
  /^(40001|40P01|08...|53...|57P..|57014|55P03|25006|25P0[34]|58...)$/,
  /^SQLITE_(BUSY|LOCKED|FULL|IOERR|READONLY|CANTOPEN|NOMEM|PROTOCOL)(_|$)/,
]

/** The database is unreachable; the request may succeed a little later. */
export class UnreachableStoreError extends Error {
  override readonly name = 'UnreachableStoreError'

  /** @param cause - The error of the driver. */
  constructor(cause: unknown) {
    const { message, code } = (cause ?? {}) as { readonly message?: unknown; readonly code?: unknown }
    super(`The database is unreachable: ${String(message || code)}`, { cause })
  }
}

/**
 * Returns whether a query failed because the database is at its limit or temporarily unavailable: repeated conflicts, a
 * locked file, a full disk, or a restart. The same request may succeed a little later.
 */
export function isOverload(error: unknown): boolean {
  return error instanceof UnreachableStoreError || hasCode(errorCode(error))
}

const hasCode = (code: string): boolean => codes.some((pattern) => pattern.test(code))
