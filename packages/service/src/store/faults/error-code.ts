/** SQLite's primary result codes, which prefix its extended ones. */
const names: ReadonlyMap<number, string> = new Map([
  [5, 'SQLITE_BUSY'],
  [6, 'SQLITE_LOCKED'],
  [7, 'SQLITE_NOMEM'],
  [8, 'SQLITE_READONLY'],
  [10, 'SQLITE_IOERR'],
  [11, 'SQLITE_CORRUPT'],
  [13, 'SQLITE_FULL'],
  [14, 'SQLITE_CANTOPEN'],
  [15, 'SQLITE_PROTOCOL'],
  [26, 'SQLITE_NOTADB'],
])

/**
 * Returns the code of a database error. The embedded driver has no names for some of SQLite's extended codes, such as
 * for a read-only folder; these get the name of their primary code.
 *
 * @returns The code, or an empty string.
 */
export function errorCode(error: unknown): string {
  const { code } = Object(error) as { readonly code?: unknown }
  const text = typeof code === 'string' ? code : ''
  const [, number] = /^UNKNOWN_SQLITE_ERROR_(\d+)$/.exec(text) ?? []
  return number === undefined ? text : (names.get(Number(number) & 0xff) ?? text)
}
