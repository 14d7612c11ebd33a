/** The first codes of SQLite, of which its longer ones are made. */
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
 * Returns the code of an error of a database. The embedded one's driver has no names for some of SQLite's longer codes, such
 * as of a folder that cannot be written; these have the name of the code they begin with.
 *
 * @param error - What was thrown.
 * @returns The code, or an empty text.
 */
export function errorCode(error: unknown): string {
  const { code } = Object(error) as { readonly code?: unknown }
  const text = typeof code === 'string' ? code : ''
  const [, number] = /^UNKNOWN_SQLITE_ERROR_(\d+)$/.exec(text) ?? []
  return number === undefined ? text : (names.get(Number(number) & 0xff) ?? text)
}
