import { randomBytes } from 'node:crypto'
import { existsSync, linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { SettingsError } from './settings.ts'

const keyBytes = 32

/**
 * Returns the key that encrypts what is kept at rest: the one given, or that of a file in the data folder, which is
 * made when it is missing and readable by its owner only.
 *
 * @param given - 32 bytes as base64 or hexadecimal text.
 * @throws {SettingsError} When the key has another length.
 */
export function readEncryptionKey(given: string | undefined, dataFolder: string): Uint8Array {
  if (given !== undefined) return parse(given, 'SERVICE_ENCRYPTION_KEY')
  const file = join(dataFolder, 'encryption.key')
  if (!existsSync(file)) create(file, dataFolder)
  return parse(readFileSync(file, 'utf8').trim(), file)
}

/** The file appears whole: of two processes that make one, the first wins. */
function create(file: string, folder: string): void {
  mkdirSync(folder, { recursive: true })
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
