import { join } from 'node:path'
import { parseEnv } from 'node:util'
import { readText } from '../base/read-text.ts'

/** A secret key, and where it was found. */
export interface FoundKey {
  /** The key. */
  readonly key: string
  /** Where it comes from, for people. */
  readonly source: string
}

const names = ['SERVICE_SECRET_KEY', 'SERVICE_API_KEY']
const files = ['.env.local', '.env.development.local', '.env.development', '.env']

/**
 * Returns the secret key of the app in a folder: the option, then the environment, then the files the app reads its own
 * environment from.
 *
 * @param option - The key as it was given on the command line.
 * @param place - The environment and the folder.
 */
export function findKey(
  option: string | undefined,
  place: { readonly env: Readonly<Record<string, string | undefined>>; readonly cwd: string },
): FoundKey | undefined {
  if (option) return { key: option, source: '--key' }
  for (const name of names) {
    const key = place.env[name]
    if (key) return { key, source: name }
  }
  for (const file of files) {
    const values = readValues(join(place.cwd, file))
    for (const name of names) {
      const key = values[name]
      if (key) return { key, source: `${name} in ${file}` }
    }
  }
  return undefined
}

function readValues(path: string): Readonly<Record<string, string | undefined>> {
  try {
    return parseEnv(readText(path)) as Record<string, string | undefined>
  } catch {
    return {}
  }
}
