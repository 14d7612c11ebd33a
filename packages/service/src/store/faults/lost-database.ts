import { statSync } from 'node:fs'
import { resolve } from 'node:path'

/** The file of the embedded database was deleted or replaced; what would be written now would be lost with the process. */
export class LostDatabaseError extends Error {
  override readonly name = 'LostDatabaseError'

  /**
   * @param file - The file.
   */
  constructor(file: string) {
    super(
      `The database ${file} was deleted or replaced while the service ran, so that nothing can be kept. ` +
        'Put it back if it was moved, or start the service anew.',
    )
  }
}

/** SQLite goes on with a file that has no name any more, so it is looked for: often enough to lose next to nothing. */
const everyMs = 200

/**
 * Returns a function that makes sure that a file is still the one that was there when this was called.
 *
 * @param file - Its path; `:memory:` is always there.
 * @throws {LostDatabaseError} From that function, as long as it is not.
 */
export function guardDatabase(file: string): () => void {
  if (file === ':memory:') return () => undefined
  // The app around an embedded service may change the folder of the process.
  const path = resolve(file)
  const opened = identify(path)
  let nextMs = 0
  return () => {
    if (performance.now() < nextMs) return
    if (identify(path) !== opened) throw new LostDatabaseError(file)
    nextMs = performance.now() + everyMs
  }
}

function identify(file: string): string | undefined {
  const found = statSync(file, { bigint: true, throwIfNoEntry: false })
  return found && `${found.dev} ${found.ino}`
}
