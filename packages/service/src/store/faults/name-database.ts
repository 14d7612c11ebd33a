import { errorCode } from './error-code.ts'

/** What to do, by the beginning of the driver's code. */
const cures: readonly (readonly [string, string])[] = [
  ['SQLITE_NOTADB', 'Put a copy of it back, or start with another data folder.'],
  ['SQLITE_CORRUPT', 'Put a copy of it back, or start with another data folder.'],
  ['SQLITE_READONLY', 'Let the user of this process write it and its folder.'],
  ['SQLITE_FULL', 'Make room on its disk.'],
  ['SQLITE_IOERR', 'Look at its disk.'],
  ['SQLITE_BUSY', 'Another process holds it; end that one, or wait for it.'],
  ['SQLITE_CANTOPEN', 'It must be a file that the user of this process may read and write.'],
]

/**
 * Returns the error of an embedded database that cannot be opened, with its file and what to do; every other error as it is.
 *
 * @param error - What was thrown while it was opened.
 * @param file - The file of the database.
 */
export function nameDatabase(error: unknown, file: string): unknown {
  if (!(error instanceof Error)) return error
  // The driver gives no code to a file that it could not open at all.
  const isClosed = error.message.startsWith('ConnectionFailed(')
  const code = isClosed ? 'SQLITE_CANTOPEN' : errorCode(error)
  const [, cure] = cures.find(([start]) => code.startsWith(start)) ?? []
  if (cure === undefined) return error
  const why = isClosed ? 'it could not be opened' : error.message
  return Object.assign(new Error(`The database ${file} cannot be used: ${why}. ${cure}`, { cause: error }), { code })
}
