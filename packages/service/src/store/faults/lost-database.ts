import { statSync } from 'node:fs'
import { resolve } from 'node:path'

/** A file of the embedded database was deleted or replaced; what would be written now would be lost with the process. */
export class LostDatabaseError extends Error {
  override readonly name = 'LostDatabaseError'

  /**
   * @param file - The file.
   * @param cure - What to do.
   */
  constructor(file: string, cure = 'Put it back if it was moved, or start the service anew.') {
    super(`The database ${file} was deleted or replaced while the service ran, so that nothing can be kept. ${cure}`)
  }
}

/** SQLite goes on with a file that has no name any more, so it is looked for: often enough to lose next to nothing. */
const everyMs = 200
/** The write-ahead log, and what processes share of it. */
const companions = ['-wal', '-shm'] as const

/**
 * Returns a function that makes sure that the files of a database are still those that were there when this was called, or,
 * of the files that come with it, those that were seen first.
 *
 * @param file - Its path; `:memory:` is always there.
 * @param rescue - Stores in the file itself what stands in its write-ahead log; called where the log was deleted, which this
 *   process alone can still read.
 * @throws {LostDatabaseError} From that function, as long as they are not.
 */
export function guardDatabase(file: string, rescue: () => void): () => void {
  if (file === ':memory:') return () => undefined
  // The app around an embedded service may change the folder of the process.
  const path = resolve(file)
  const opened = identify(path)
  const seen = new Map<string, string>()
  const isThere = (end: string): boolean => {
    const found = identify(path + end)
    const first = seen.get(end) ?? found
    if (first !== undefined) seen.set(end, first)
    return found === first
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
      throw new LostDatabaseError(`${file}${end}`, `What it held is in ${file} now; start the service anew.`)
    }
    nextMs = performance.now() + everyMs
  }
}

function identify(file: string): string | undefined {
  const found = statSync(file, { bigint: true, throwIfNoEntry: false })
  return found && `${found.dev} ${found.ino}`
}
