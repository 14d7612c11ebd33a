import { join } from 'node:path'
import { parseEnv } from 'node:util'
import { readText } from '../base/read-text.ts'
import { readSession } from './session-file.ts'

/** A secret key, and where it was found. */
export interface FoundKey {
  readonly key: string
  /** Where it comes from, for people. */
  readonly source: string
}

const names = ['SERVICE_SECRET_KEY', 'SERVICE_API_KEY']
const files = ['.env.local', '.env.development.local', '.env.development', '.env']

/** Where a key is looked for. */
export interface KeyPlace {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly cwd: string
  /** The bridge that it is for: the one that `trestle dev` works with has the key of its service. */
  readonly bridgeUrl?: string | undefined
}

/**
 * Returns the secret key of the app in a folder: the option, then the environment, then the files the app reads its own
 * environment from, then the service of the `trestle dev` that works with the bridge.
 *
 * @param option - The key as it was given on the command line.
 */
export function findKey(option: string | undefined, place: KeyPlace): FoundKey | undefined {
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
  const session = place.bridgeUrl === undefined ? undefined : readSession(place.cwd)
  if (session === undefined || session.bridgeUrl !== place.bridgeUrl) return undefined
  return { key: session.key, source: 'the running trestle dev' }
}

function readValues(path: string): Readonly<Record<string, string | undefined>> {
  try {
    return parseEnv(readText(path)) as Record<string, string | undefined>
  } catch {
    return {}
  }
}
