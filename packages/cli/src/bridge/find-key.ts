import { join } from 'node:path'
import { parseEnv } from 'node:util'
import { readText } from '../base/read-text.ts'
import { readSession } from './session-file.ts'

/** A secret key with its source. */
export interface FoundKey {
  readonly key: string
  /** The source, for display. */
  readonly source: string
}

const names = ['SERVICE_SECRET_KEY', 'SERVICE_API_KEY']
const files = ['.env.local', '.env.development.local', '.env.development', '.env']

/** Where to look for a key. */
export interface KeyPlace {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly cwd: string
  /** The bridge that the key is for: the bridge of `trestle dev` uses the key of its service. */
  readonly bridgeUrl?: string | undefined
}

/**
 * Returns the secret key of the app in a folder: from the option, the environment, the app's .env files, or the
 * `trestle dev` service of the bridge.
 *
 * @param option - The key from the command line.
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
