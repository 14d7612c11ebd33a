import { errorCode } from './error-code.ts'

/** Fixes, by the start of the driver's code. */
const cures: readonly (readonly [string, string])[] = [
  ['SQLITE_NOTADB', 'Restore a backup of it, or start with another data folder.'],
  ['SQLITE_CORRUPT', 'Restore a backup of it, or start with another data folder.'],
  ['SQLITE_READONLY', 'Make the file and its folder writable for the user of this process.'],
  ['SQLITE_FULL', 'Free space on its disk.'],
  ['SQLITE_IOERR', 'Check its disk.'],
  ['SQLITE_BUSY', 'Another process has locked it; stop that process, or wait for it.'],
  ['SQLITE_CANTOPEN', 'It must be a file that the user of this process can read and write.'],
]

/**
 * Returns the error of an embedded database that cannot be opened, with its file and a fix; all other errors unchanged.
 *
 * @param error - The error thrown while opening it.
 * @param file - The file of the database.
 */
export function nameDatabase(error: unknown, file: string): unknown {
  if (!(error instanceof Error)) return error
  // The driver has no code for a file that it could not open at all.
  const isClosed = error.message.startsWith('ConnectionFailed(')
  const code = isClosed ? 'SQLITE_CANTOPEN' : errorCode(error)
  const [, cure] = cures.find(([start]) => code.startsWith(start)) ?? []
  if (cure === undefined) return error
  const why = isClosed ? 'it could not be opened' : error.message
  return Object.assign(new Error(`The database ${file} cannot be used: ${why}. ${cure}`, { cause: error }), { code })
}
