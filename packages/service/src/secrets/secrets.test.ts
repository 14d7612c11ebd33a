import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, onTestFinished, test } from 'vitest'
import { readEncryptionKeys } from '../config/encryption-key.ts'
import { SettingsError } from '../config/settings.ts'
import { sealFormerly } from './former-seal.fixture.ts'
import { sealedPlaces } from './sealed-places.ts'
import { createVault, UnsealableError } from './vault.ts'

const key = Buffer.alloc(32, 9)
const vault = createVault(key)
const place = sealedPlaces.credentials('i1')

describe('a vault', () => {
  test('decrypts what it encrypted, and never encrypts the same way twice', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (plain) => {
        const [one, two] = [vault.seal(plain, place), vault.seal(plain, place)]
        expect(vault.open(one, place)).toBe(plain)
        expect(one).not.toBe(two)
      }),
    )
  })

  test('rejects values that were modified at any position, truncated, or encrypted with a different key', () => {
    const sealed = vault.seal('canary-secret', place)
    expect(sealed).not.toContain('canary')
    const [mark = '', text = ''] = sealed.split('.')
    const bytes = Buffer.from(text, 'base64url')
    for (let index = 0; index < bytes.length; index++) {
      const altered = Buffer.from(bytes)
      altered[index] = (altered[index] ?? 0) ^ 1
      expect(() => vault.open(`${mark}.${altered.toString('base64url')}`, place)).toThrow(UnsealableError)
      expect(() => vault.open(`${mark}.${bytes.subarray(0, index).toString('base64url')}`, place)).toThrow(
        UnsealableError,
      )
    }
    expect(() => createVault(Buffer.alloc(32, 8)).open(sealed, place)).toThrow(UnsealableError)
    for (const other of ['', 'v1.', 'v2.x', text, `v0.${text}`])
      expect(() => vault.open(other, place)).toThrow(UnsealableError)
  })

  test('decrypts a value only at its own location, and for its own purpose', () => {
    const places = [
      ...['e1', 'e2', ''].map((id) => sealedPlaces.apiKey(id)),
      ...[sealedPlaces.variable('v', 'e1'), sealedPlaces.variable('v', 'e2'), sealedPlaces.variable('ve', '1')],
      ...[sealedPlaces.credentials('e1'), sealedPlaces.auth('e1'), sealedPlaces.endpoint('e1')],
      ...[sealedPlaces.delivery('e1'), sealedPlaces.answer('e1'), { table: 'apiKeys', column: 'hash', key: ['e1'] }],
    ]
    for (const from of places) {
      const sealed = vault.seal('canary-secret', from)
      for (const to of places.filter((one) => one !== from)) {
        expect(() => vault.open(sealed, to)).toThrow(UnsealableError)
        expect(() => vault.renew(sealed, to)).toThrow(UnsealableError)
      }
      expect(vault.open(sealed, from)).toBe('canary-secret')
      const state = vault.for('oauth-state')
      expect(() => state.open(sealed, from)).toThrow(UnsealableError)
      expect(() => vault.open(state.seal('canary-secret', from), from)).toThrow(UnsealableError)
    }
  })

  test('decrypts unbound values from earlier versions only to bind them', () => {
    const sealed = sealFormerly('canary-secret', key)
    expect(() => vault.open(sealed, place)).toThrow(UnsealableError)
    expect(() => vault.for('oauth-state').renew(sealed, place)).toThrow(UnsealableError)
    for (const one of [vault, createVault(Buffer.alloc(32, 1), [key])])
      expect(one.open(one.renew(sealed, place) ?? '', place)).toBe('canary-secret')
    expect(() => createVault(Buffer.alloc(32, 1)).renew(sealed, place)).toThrow(UnsealableError)
  })

  test('decrypts values encrypted with a previous key, and re-encrypts them', () => {
    const former = createVault(Buffer.alloc(32, 8))
    const both = createVault(key, [Buffer.alloc(32, 7), Buffer.alloc(32, 8)])
    const sealed = former.seal('canary-secret', place)
    expect(both.open(sealed, place)).toBe('canary-secret')
    expect(vault.open(both.renew(sealed, place) ?? '', place)).toBe('canary-secret')
    expect(both.renew(vault.seal('canary-secret', place), place)).toBeUndefined()
    expect(() => former.open(both.seal('canary-secret', place), place)).toThrow(UnsealableError)
    for (const other of [createVault(Buffer.alloc(32, 6)).seal('', place), 'v1.', ''])
      expect(() => both.renew(other, place)).toThrow(UnsealableError)
  })

  test.each([0, 16, 31, 33])('rejects a key of %i bytes', (length) => {
    expect(() => createVault(Buffer.alloc(length))).toThrow(RangeError)
    expect(() => createVault(key, [Buffer.alloc(length)])).toThrow(RangeError)
  })
})

/** Reads the key of a database without a previous key. */
const readKey = (given: string | undefined, dataFolder: string) =>
  readEncryptionKeys(
    { given, dataFolder, previous: [] },
    () => true,
    () => undefined,
  ).current

describe('encryption key', () => {
  function createFolder(): string {
    const folder = mkdtempSync(join(tmpdir(), 'trestle-key-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    return join(folder, 'data')
  }

  test('is created on first start in a file that only its owner can read, and is kept', () => {
    const folder = createFolder()
    const newKey = readKey(undefined, folder)
    const file = join(folder, 'encryption.key')
    expect(newKey).toHaveLength(32)
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(Buffer.from(readKey(undefined, folder))).toEqual(Buffer.from(newKey))
    expect(Buffer.from(readKey(undefined, createFolder()))).not.toEqual(Buffer.from(newKey))
  })

  test('is the configured one, without creating a file', () => {
    const folder = createFolder()
    expect(Buffer.from(readKey(key.toString('base64'), folder))).toEqual(key)
    expect(Buffer.from(readKey(key.toString('hex').toUpperCase(), folder))).toEqual(key)
    expect(() => statSync(folder)).toThrow('ENOENT')
  })

  test.each(['', 'short', 'x'.repeat(64), key.toString('hex').slice(2)])(
    '%j is rejected, without revealing it in the message',
    (text) => {
      const failure = catchError(() => readKey(text, createFolder()))
      expect(failure).toBeInstanceOf(SettingsError)
      expect(String(failure)).toContain('SERVICE_ENCRYPTION_KEY')
      if (text !== '') expect(String(failure)).not.toContain(text)
    },
  )

  test('in a damaged file is rejected with the file name', () => {
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
