import { randomBytes } from 'node:crypto'
import { existsSync, linkSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { SettingsError } from './settings.ts'

const keyBytes = 32

/** Where the encryption key is. */
export interface KeyPlace {
  /** 32 bytes as base64 or hexadecimal text, in place of a file. */
  readonly given: string | undefined
  /** The folder of its file. */
  readonly dataFolder: string
  /** Keys that were in use before, as text. */
  readonly previous: readonly string[]
}

/** The keys of what is kept at rest, 32 bytes each. */
export interface EncryptionKeys {
  /** Encrypts. */
  readonly current: Uint8Array
  /** Open what was encrypted before. */
  readonly previous: readonly Uint8Array[]
}

/**
 * Returns the key that encrypts what is kept at rest: the one given, or that of a file in the data folder, which is
 * made when it is missing and readable by its owner only; and those that were in use before.
 *
 * @param place - Where they are.
 * @param mayMake - Asked where the file is missing: whether what the database holds can be opened without it.
 * @param onOpen - Told of a file that others than its owner may read.
 * @throws {SettingsError} When a key has another length, or is missing.
 */
export function readEncryptionKeys(
  place: KeyPlace,
  mayMake: (previous: readonly Uint8Array[]) => boolean,
  onOpen: (file: string) => void,
): EncryptionKeys {
  const previous = place.previous.map((text) => parse(text, 'SERVICE_PREVIOUS_ENCRYPTION_KEYS'))
  return { current: readCurrent(place, () => mayMake(previous), onOpen), previous }
}

function readCurrent(
  { given, dataFolder }: KeyPlace,
  mayMake: () => boolean,
  onOpen: (file: string) => void,
): Uint8Array {
  if (given !== undefined) return parse(given, 'SERVICE_ENCRYPTION_KEY')
  const file = join(dataFolder, 'encryption.key')
  if (!existsSync(file)) {
    if (!mayMake())
      throw new SettingsError(
        `${file} is missing: it holds the encryption key that this database was used with. Put it back from a backup or copy it from another machine of the service, or set SERVICE_ENCRYPTION_KEY. To take another key into use, name the one before in SERVICE_PREVIOUS_ENCRYPTION_KEYS. Without it start with another database.`,
      )
    create(file, dataFolder)
  }
  // Windows knows no such rights.
  if (process.platform !== 'win32' && (statSync(file).mode & 0o077) !== 0) onOpen(file)
  return parse(readFileSync(file, 'utf8').trim(), file)
}

/** The file appears whole: of two processes that make one, the first wins. */
function create(file: string, folder: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const draft = `${file}.${randomBytes(6).toString('hex')}`
  writeFileSync(draft, `${randomBytes(keyBytes).toString('base64')}\n`, { mode: 0o600 })
  try {
    linkSync(draft, file)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  } finally {
    rmSync(draft)
  }
}

function parse(text: string, place: string): Uint8Array {
  const bytes = /^[\da-f]{64}$/i.test(text) ? Buffer.from(text, 'hex') : Buffer.from(text, 'base64')
  if (bytes.length !== keyBytes)
    throw new SettingsError(`${place}: the encryption key must be ${keyBytes} bytes as base64 or hexadecimal text.`)
  return bytes
}
