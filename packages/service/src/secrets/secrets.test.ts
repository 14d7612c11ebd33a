import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, onTestFinished, test } from 'vitest'
import { readEncryptionKeys } from '../config/encryption-key.ts'
import { SettingsError } from '../config/settings.ts'
import { createVault, UnsealableError } from './vault.ts'

const key = Buffer.alloc(32, 9)
const vault = createVault(key)

describe('a vault', () => {
  test('opens what it sealed, whatever it is, and never seals alike', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (plain) => {
        const [one, two] = [vault.seal(plain), vault.seal(plain)]
        expect(vault.open(one)).toBe(plain)
        expect(one).not.toBe(two)
      }),
    )
  })

  test('opens nothing that was altered at any place, cut, or sealed with another key', () => {
    const sealed = vault.seal('canary-secret')
    expect(sealed).not.toContain('canary')
    const [mark = '', text = ''] = sealed.split('.')
    const bytes = Buffer.from(text, 'base64url')
    for (let index = 0; index < bytes.length; index++) {
      const altered = Buffer.from(bytes)
      altered[index] = (altered[index] ?? 0) ^ 1
      expect(() => vault.open(`${mark}.${altered.toString('base64url')}`)).toThrow(UnsealableError)
      expect(() => vault.open(`${mark}.${bytes.subarray(0, index).toString('base64url')}`)).toThrow(UnsealableError)
    }
    expect(() => createVault(Buffer.alloc(32, 8)).open(sealed)).toThrow(UnsealableError)
    for (const other of ['', 'v1.', 'v2.x', text, `v0.${text}`])
      expect(() => vault.open(other)).toThrow(UnsealableError)
  })

  test('opens what a previous key has sealed, and seals it anew', () => {
    const former = createVault(Buffer.alloc(32, 8))
    const both = createVault(key, [Buffer.alloc(32, 7), Buffer.alloc(32, 8)])
    const sealed = former.seal('canary-secret')
    expect(both.open(sealed)).toBe('canary-secret')
    expect(vault.open(both.renew(sealed) ?? '')).toBe('canary-secret')
    expect(both.renew(vault.seal('canary-secret'))).toBeUndefined()
    expect(() => former.open(both.seal('canary-secret'))).toThrow(UnsealableError)
    for (const other of [createVault(Buffer.alloc(32, 6)).seal(''), 'v1.', ''])
      expect(() => both.renew(other)).toThrow(UnsealableError)
  })

  test.each([0, 16, 31, 33])('is not made with a key of %i bytes', (length) => {
    expect(() => createVault(Buffer.alloc(length))).toThrow(RangeError)
    expect(() => createVault(key, [Buffer.alloc(length)])).toThrow(RangeError)
  })
})

/** Reads the key of a database that was used with none. */
const readKey = (given: string | undefined, dataFolder: string) =>
  readEncryptionKeys(
    { given, dataFolder, previous: [] },
    () => true,
    () => undefined,
  ).current

describe('the encryption key', () => {
  function createFolder(): string {
    const folder = mkdtempSync(join(tmpdir(), 'trestle-key-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    return join(folder, 'data')
  }

  test('is made at first start in a file that its owner alone can read, and stays', () => {
    const folder = createFolder()
    const made = readKey(undefined, folder)
    const file = join(folder, 'encryption.key')
    expect(made).toHaveLength(32)
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(Buffer.from(readKey(undefined, folder))).toEqual(Buffer.from(made))
    expect(Buffer.from(readKey(undefined, createFolder()))).not.toEqual(Buffer.from(made))
  })

  test('is the one that was given, and no file is made then', () => {
    const folder = createFolder()
    expect(Buffer.from(readKey(key.toString('base64'), folder))).toEqual(key)
    expect(Buffer.from(readKey(key.toString('hex').toUpperCase(), folder))).toEqual(key)
    expect(() => statSync(folder)).toThrow('ENOENT')
  })

  test.each(['', 'short', 'x'.repeat(64), key.toString('hex').slice(2)])(
    '%j is refused, and the message does not hold it',
    (text) => {
      const failure = catchError(() => readKey(text, createFolder()))
      expect(failure).toBeInstanceOf(SettingsError)
      expect(String(failure)).toContain('SERVICE_ENCRYPTION_KEY')
      if (text !== '') expect(String(failure)).not.toContain(text)
    },
  )

  test('in a file that was damaged is refused by the name of the file', () => {
    const folder = createFolder()
    readKey(undefined, folder)
    const file = join(folder, 'encryption.key')
    writeFileSync(file, readFileSync(file, 'utf8').slice(4))
    expect(String(catchError(() => readKey(undefined, folder)))).toContain(file)
  })
})

function catchError(work: () => unknown): unknown {
  try {
    return work()
  } catch (error) {
    return error
  }
}
