import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { isObject } from '@trestle/protocol'
import { readText, withoutMark } from '../base/read-text.ts'
import { UsageError } from '../terminal/usage-error.ts'

/** The fields of an app's `package.json` that the CLI uses. */
export interface AppPackage {
  readonly name: string | undefined
  /** Names of its dependencies of every kind. */
  readonly dependencies: readonly string[]
  readonly scripts: Readonly<Record<string, string>>
  /** Whether its files are ES modules. */
  readonly isModule: boolean
  /** Whether it is the root of a workspace. */
  readonly hasWorkspaces: boolean
}

/**
 * Reads information about the app in a folder; undefined if there is no `package.json`.
 *
 * @throws {UsageError} The file cannot be read, or is not a JSON object.
 */
export function readAppPackage(folder: string): AppPackage | undefined {
  const path = join(folder, 'package.json')
  if (!existsSync(path)) return undefined
  const file = parsePackage(readText(path))
  const namesIn = (field: string): string[] => (isObject(file[field]) ? Object.keys(file[field]) : [])
  const scripts = isObject(file['scripts']) ? file['scripts'] : {}
  return {
    name: typeof file['name'] === 'string' ? file['name'] : undefined,
    dependencies: [...namesIn('dependencies'), ...namesIn('devDependencies')],
    scripts: Object.fromEntries(
      Object.entries(scripts).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
    ),
    isModule: file['type'] === 'module',
    hasWorkspaces: file['workspaces'] !== undefined,
  }
}

/** Like {@link readAppPackage}, but returns undefined for an invalid file. */
export function tryAppPackage(folder: string): AppPackage | undefined {
  try {
    return readAppPackage(folder)
  } catch {
    return undefined
  }
}

/**
 * Parses a `package.json`.
 *
 * @param text - The file; it may start with a byte order mark.
 * @throws {UsageError} It is not a JSON object.
 */
export function parsePackage(text: string): Readonly<Record<string, unknown>> {
  let file: unknown
  try {
    file = JSON.parse(withoutMark(text))
  } catch (error) {
    const why = error instanceof Error ? ` ${error.message}` : ''
    throw new UsageError(`package.json is not valid JSON; fix it first.${why}`)
  }
  if (!isObject(file)) throw new UsageError('package.json must contain an object; fix it first.')
  return file
}
