import { closeSync, existsSync, mkdirSync, openSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { UsageError } from '../../terminal/usage-error.ts'

/**
 * Creates the folder of an output file, and checks that the file can be written. Call it before the work starts, so that
 * its result is not lost.
 *
 * @param option - The option that names the file.
 * @param path - An absolute path.
 * @returns A function that writes the file.
 * @throws {UsageError} The file cannot be written.
 */
export function prepareOutput(option: string, path: string): (text: string) => void {
  try {
    mkdirSync(dirname(path), { recursive: true })
    const isNew = !existsSync(path)
    // Only opening the file checks everything: its name, the permissions, and that it is not a folder.
    closeSync(openSync(path, 'a'))
    if (isNew) rmSync(path)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new UsageError(`--${option} names the file ${path}, which cannot be written: ${reason}`)
  }
  return (text) => writeFileSync(path, text)
}
