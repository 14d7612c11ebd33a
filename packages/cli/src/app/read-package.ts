import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isRecord } from '../base/is-record.ts'

/** What is read of an app's `package.json`. */
export interface AppPackage {
  /** Its name. */
  readonly name: string | undefined
  /** Names of its dependencies of every kind. */
  readonly dependencies: readonly string[]
  /** Its scripts by name. */
  readonly scripts: Readonly<Record<string, string>>
  /** Whether its files are modules. */
  readonly isModule: boolean
}

/**
 * Returns what is known of the app in a folder; undefined where there is no `package.json` that can be read.
 *
 * @param folder - The folder.
 */
export function readAppPackage(folder: string): AppPackage | undefined {
  let file: unknown
  try {
    file = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  } catch {
    return undefined
  }
  if (!isRecord(file)) return undefined
  const namesIn = (field: string): string[] => (isRecord(file[field]) ? Object.keys(file[field]) : [])
  const scripts = isRecord(file['scripts']) ? file['scripts'] : {}
  return {
    name: typeof file['name'] === 'string' ? file['name'] : undefined,
    dependencies: [...namesIn('dependencies'), ...namesIn('devDependencies')],
    scripts: Object.fromEntries(
      Object.entries(scripts).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
    ),
    isModule: file['type'] === 'module',
  }
}
