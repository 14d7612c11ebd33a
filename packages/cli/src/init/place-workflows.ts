import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, extname, join } from 'node:path'

/** The location of an app's workflows. */
export interface WorkflowsPlace {
  /** The file's name without its extension. */
  readonly name: string
  /** Whether an earlier run has written it. */
  readonly isThere: boolean
}

const names = ['workflows', 'notification-workflows', 'trestle-workflows']

/**
 * Returns an unused file name for workflows. The extension is ignored, because an import without an extension matches
 * any. A file written by an earlier run is reused.
 *
 * @param folder - The folder of the file.
 */
export function placeWorkflows(folder: string, ending: string): WorkflowsPlace {
  const existingNames = namesIn(folder)
  for (let count = 0; ; count += 1) {
    const name = names[count] ?? `trestle-workflows-${count - names.length + 1}`
    if (!existingNames.has(name)) return { name, isThere: false }
    if (isOurs(join(folder, `${name}.${ending}`))) return { name, isThere: true }
  }
}

/** Returns the names in a folder, without file extensions; empty if it does not exist. */
export function namesIn(folder: string): ReadonlySet<string> {
  if (!existsSync(folder)) return new Set()
  // Some file systems are case-insensitive.
  return new Set(readdirSync(folder).map((file) => basename(file, extname(file)).toLowerCase()))
}

function isOurs(path: string): boolean {
  if (!existsSync(path)) return false
  const text = readFileSync(path, 'utf8')
  return text.includes('@trestle/core') && /^(?:export const workflows\b|module\.exports = \{ workflows\b)/m.test(text)
}
