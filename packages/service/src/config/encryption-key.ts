import { randomBytes } from 'node:crypto'
import { existsSync, linkSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { SettingsError } from './settings.ts'

const keyBytes = 32

/** The location of the encryption key. */
export interface KeyPlace {
  /** 32 bytes in base64 or hexadecimal, instead of a file. */
  readonly given: string | undefined
  /** The folder of its file. */
  readonly dataFolder: string
  /** Earlier keys, as text. */
  readonly previous: readonly string[]
}

/** The keys for data at rest, 32 bytes each. */
export interface EncryptionKeys {
  /** Encrypts. */
  readonly current: Uint8Array
  /** Decrypts older data. */
  readonly previous: readonly Uint8Array[]
}

/**
 * Returns the key that encrypts data at rest, and earlier keys. The key is either given, or read from a file in the
 * data folder, which is created if missing and readable only by its owner.
 *
 * @param place - The location of the keys.
 * @param mayMake - Called if the file is missing: returns whether the data in the database can be decrypted without it.
 * @param onOpen - Called for a file that is readable by others.
 * @throws {SettingsError} A key is missing or has the wrong length.
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
        `${file} is missing: it contains the encryption key that was used with this database. Restore it from a backup, copy it from another machine of the service, or set SERVICE_ENCRYPTION_KEY. To switch to another key, list the old one in SERVICE_PREVIOUS_ENCRYPTION_KEYS. Without the key, start with another database.`,
      )
    create(file, dataFolder)
  }
  // Windows has no such permissions.
  if (process.platform !== 'win32' && (statSync(file).mode & 0o077) !== 0) onOpen(file)
  return parse(readFileSync(file, 'utf8').trim(), file)
}

/** Creates the file atomically: if two processes create one, the first wins. */
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
    throw new SettingsError(`${place}: the encryption key must be ${keyBytes} bytes in base64 or hexadecimal.`)
  return bytes
}
