const codes: ReadonlySet<unknown> = new Set(['23505', 'SQLITE_CONSTRAINT_UNIQUE', 'SQLITE_CONSTRAINT_PRIMARYKEY'])

/**
 * Returns whether a query failed because a row with the same unique value exists. In PostgreSQL, this aborts the
 * transaction: inside one, use `on conflict do nothing` and check the number of rows instead.
 */
export function isUniqueViolation(error: unknown): boolean {
  return codes.has((error as { readonly code?: unknown } | null)?.code)
}
