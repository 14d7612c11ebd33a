import { statSync } from 'node:fs'
import { resolve } from 'node:path'

/** A file of the embedded database was deleted or replaced; new writes would be lost with the process. */
export class LostDatabaseError extends Error {
  override readonly name = 'LostDatabaseError'

  constructor(file: string, cure = 'Restore it if it was moved, or restart the service.') {
    super(`The database ${file} was deleted or replaced while the service ran, so nothing can be stored. ${cure}`)
  }
}

/** SQLite continues with a deleted file, so its presence is checked often enough to lose almost nothing. */
const everyMs = 200
/** The write-ahead log, and its shared memory. */
const companions = ['-wal', '-shm'] as const

/**
 * Returns a function that checks that the files of a database are still the original ones or, for its auxiliary files,
 * those first seen.
 *
 * @param file - Its path; `:memory:` always exists.
 * @param rescue - Copies the write-ahead log into the file; called if the log was deleted, which only this process can
 * still read.
 * @throws {LostDatabaseError} From that function, while they differ.
 */
export function guardDatabase(file: string, rescue: () => void): () => void {
  if (file === ':memory:') return () => undefined
  // The app that embeds the service may change the working directory of the process.
  const path = resolve(file)
  const opened = identify(path)
  const seen = new Map<string, string>()
  const isThere = (end: string): boolean => {
    const fileId = identify(path + end)
    const first = seen.get(end) ?? fileId
    if (first !== undefined) seen.set(end, first)
    return fileId === first
  }
  companions.forEach(isThere)
  let nextMs = 0
  let isRescued = false
  return () => {
    if (performance.now() < nextMs) return
    if (identify(path) !== opened) throw new LostDatabaseError(file)
    const end = companions.find((one) => !isThere(one))
    if (end !== undefined) {
      if (!isRescued) rescue()
      isRescued = true
      throw new LostDatabaseError(`${file}${end}`, `Its data is now in ${file}. Restart the service.`)
    }
    nextMs = performance.now() + everyMs
  }
}

function identify(file: string): string | undefined {
  const stats = statSync(file, { bigint: true, throwIfNoEntry: false })
  return stats && `${stats.dev} ${stats.ino}`
}
