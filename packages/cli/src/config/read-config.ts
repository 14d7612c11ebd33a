import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { isObject, nearest } from '@trestle/protocol'
import { readText } from '../base/read-text.ts'
import { UsageError } from '../terminal/usage-error.ts'
import { loadTypeScript } from './load-typescript.ts'

/** The options of `trestle.config`; command line options override them. */
export interface TrestleConfig {
  /** The address of the bridge. */
  readonly bridge?: string
  /** The command that starts the app, for `trestle dev`. */
  readonly run?: string
  /** The port of the local service. */
  readonly port?: number
  /** The folder for the data of the local service. */
  readonly data?: string
  /** The lock file of the bridge's contract. */
  readonly lock?: string
  /** The folder of named fixtures for previews. */
  readonly fixtures?: string
}

const kinds = { bridge: 'string', run: 'string', port: 'number', data: 'string', lock: 'string', fixtures: 'string' }
const toNames = (...endings: readonly string[]): readonly string[] =>
  endings.map((ending) => `trestle.config.${ending}`)
const names = toNames('json', 'js', 'mjs', 'cjs', 'ts')
/** Unsupported file names that users may expect to work. */
const unread = toNames('mts', 'cts', 'jsonc', 'json5', 'yaml', 'yml', 'toml')

/**
 * Reads the configuration file of a folder, if there is one.
 *
 * @throws {UsageError} There are several files, or it has an unsupported extension, cannot be read, or has an unknown
 *   option.
 */
export async function readConfig(folder: string): Promise<TrestleConfig> {
  const isThere = (name: string): boolean => existsSync(join(folder, name))
  const other = unread.find(isThere)
  if (other !== undefined) throw new UsageError(`${other} is not read. Use one of ${names.join(', ')}.`)
  const existingNames = names.filter(isThere)
  const [name] = existingNames
  if (name === undefined) return {}
  if (existingNames.length > 1) throw new UsageError(`Found ${existingNames.join(' and ')}. Keep only one of them.`)
  let value: unknown
  try {
    value = await load(join(folder, name))
  } catch (error) {
    throw new UsageError(`${name} cannot be read: ${error instanceof Error ? error.message : String(error)}`)
  }
  return check(name, value)
}

async function load(path: string): Promise<unknown> {
  if (path.endsWith('.json')) return JSON.parse(readText(path))
  if (path.endsWith('.ts')) return loadTypeScript(path)
  return ((await import(pathToFileURL(path).href)) as { default?: unknown }).default
}

function check(file: string, value: unknown): TrestleConfig {
  if (!isObject(value)) throw new UsageError(`${file} must have an object as its default export.`)
  for (const [name, optionValue] of Object.entries(value)) {
    if (!Object.hasOwn(kinds, name)) {
      const meant = nearest(name, Object.keys(kinds))
      throw new UsageError(`Unknown option ${name} in ${file}.${meant ? ` Did you mean ${meant}?` : ''}`)
    }
    const kind = kinds[name as keyof typeof kinds]
    if (typeof optionValue !== kind) throw new UsageError(`${name} in ${file} must be a ${kind}.`)
  }
  return value as TrestleConfig
}
