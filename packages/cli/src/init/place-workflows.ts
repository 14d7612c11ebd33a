import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, extname, join } from 'node:path'

/** Where the workflows of an app are put. */
export interface WorkflowsPlace {
  /** The file's name without its ending. */
  readonly name: string
  /** Whether an earlier run has written it. */
  readonly isThere: boolean
}

const names = ['workflows', 'notification-workflows', 'trestle-workflows']

/**
 * Returns the name of the file of workflows: the first that neither a file nor a folder has, whatever its ending, because
 * an import without an ending takes any of them. A file that an earlier run has written is used again.
 *
 * @param folder - The folder in which it lies.
 */
export function placeWorkflows(folder: string, ending: string): WorkflowsPlace {
  const taken = namesIn(folder)
  for (let count = 0; ; count += 1) {
    const name = names[count] ?? `trestle-workflows-${count - names.length + 1}`
    if (!taken.has(name)) return { name, isThere: false }
    if (isOurs(join(folder, `${name}.${ending}`))) return { name, isThere: true }
  }
}

/** Returns the names in a folder, of files without their endings; none where there is no folder. */
export function namesIn(folder: string): ReadonlySet<string> {
  if (!existsSync(folder)) return new Set()
  // Some file systems take names in capitals for the same.
  return new Set(readdirSync(folder).map((file) => basename(file, extname(file)).toLowerCase()))
}

function isOurs(path: string): boolean {
  if (!existsSync(path)) return false
  const text = readFileSync(path, 'utf8')
  return text.includes('@trestle/core') && /^(?:export const workflows\b|module\.exports = \{ workflows\b)/m.test(text)
}
