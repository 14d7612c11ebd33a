import { createRequire } from 'node:module'
import { basename, dirname } from 'node:path'

/** Loads CommonJS packages, from the folder of the tests. */
export const require: NodeJS.Require = createRequire(import.meta.url)

/** Returns the folder of an installed package. */
export function folderOf(name: string): string {
  let folder = dirname(require.resolve(`${name}/package.json`))
  while (basename(folder) === 'dist') folder = dirname(folder)
  return folder
}
