import * as nodeCrypto from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { CodedError, isCodedError } from './error.ts'
import { createHmac } from './hmac.ts'
import { checkMac, findMacs, parseSignature, sign, signatureWindowMs, verifyTimestamp } from './signature.ts'

const drivers = [
  ['node:crypto', createHmac(nodeCrypto)],
  ['WebCrypto', createHmac(null)],
] as const

// Computed with OpenSSL: printf '1700000000000.{}' | openssl dgst -sha256 -hmac secret
const vectors = [
  ['{}', 'secret', '8399216d111287e3bb28e25c0f4f31dffdf831c68c9ee2b96c2f67c9b81d341b'],
  ['{"a":1.0,"b":"é"}', 'key-2', '33cdbb2da562daaf313cb7bcd3dc82c8942df14e5633c845bc273e2e5defa74c'],
] as const
const vectorMs = 1_700_000_000_000

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)
const codeOf = (act: () => unknown): string | undefined => {
  try {
    act()
    return undefined
  } catch (error) {
    return isCodedError(error) ? error.code : String(error)
  }
}

describe.each(drivers)('a signature by %s', (_name, hmac) => {
  it.each(vectors)('of %s with %s has the expected value', async (body, secret, mac) => {
    expect(await sign(secret, body, { nowMs: vectorMs, hmac })).toBe(`t=${vectorMs},v1=${mac}`)
  })

  it('is accepted by the other side, and rejected with a different secret, body or time', () =>
    fc.assert(
      fc.asyncProperty(
        fc.uint8Array({ maxLength: 200 }),
        fc.string({ minLength: 1 }),
        fc.nat(2 ** 31),
        async (body, secret, nowMs) => {
          const header = await sign(secret, body, { nowMs, hmac })
          const signature = parseSignature(header)
          const mac = header.slice(header.indexOf('v1=') + 3)
          expect(await checkMac(signature, body, { secrets: ['other', secret], hmac })).toBe(mac)
          expect(await checkMac(signature, body, { secrets: ['other'], hmac })).toBe(secret === 'other' ? mac : null)
          expect(await checkMac(signature, Uint8Array.from([...body, 32]), { secrets: [secret], hmac })).toBeNull()
          const later = { ...signature, timestamp: `${nowMs + 1}` }
          expect(await checkMac(later, body, { secrets: [secret], hmac })).toBeNull()
        },
      ),
      { numRuns: 100 },
    ))

  it('is parsed the same in the usual form and in others', async () => {
    const header = await sign('s', '{}', { nowMs: 5, hmac })
    const mac = header.slice(header.indexOf('v1=') + 3)
    const expected = { timestamp: '5', candidates: [mac] }
    for (const text of [header, `${header},`, ` ${header}`, `v1=${mac},t=5`, `t=5, v1=${mac},v0=x`])
      expect(parseSignature(text)).toEqual(expected)
    expect(parseSignature(`t=5,v1=${mac.toUpperCase()}`).candidates).toEqual([mac.toUpperCase()])
    expect(codeOf(() => parseSignature(`t=5,v1=${mac},t=5`))).toBe('SignatureInvalidError')
  })

  it('can be uppercase and one of several, of which eight are checked', async () => {
    const header = await sign('s', '{}', { nowMs: 5, hmac })
    const mac = header.slice(header.indexOf('v1=') + 3)
    const wrong = 'v1=00,'
    const check = (text: string) => checkMac(parseSignature(text), bytes('{}'), { secrets: ['s'], hmac })
    expect(await check(`t=5,v1=${mac.toUpperCase()}`)).toBe(mac)
    expect(await check(`t=5,${wrong.repeat(7)}v1=${mac}`)).toBe(mac)
    expect(await check(`t=5,${wrong.repeat(8)}v1=${mac}`)).toBeNull()
  })

  it('is found once per secret', async () => {
    const nowMs = 1_700_000_000_000
    const macOf = async (secret: string): Promise<string> =>
      (await sign(secret, '{}', { nowMs, hmac })).split('v1=')[1] ?? ''
    const [older, newer] = [await macOf('old'), await macOf('new')]
    const signature = parseSignature(`t=${nowMs},v1=${older},v1=${newer},v1=${older.toUpperCase()}`)
    const macs = await findMacs(signature, bytes('{}'), { secrets: ['new', 'old'], hmac })
    expect([...macs].sort()).toEqual([older, newer].sort())
    expect(await findMacs(signature, bytes('{}'), { secrets: ['other'], hmac })).toEqual([])
  })

  it('does not match a longer or shorter value', async () => {
    const header = await sign('s', '{}', { nowMs: 5, hmac })
    const mac = header.slice(header.indexOf('v1=') + 3)
    for (const text of [`${mac}zz`, `${mac}0`, mac.slice(0, 62), `${mac.slice(0, 63)}g`, `0x${mac.slice(2)}`])
      expect(await checkMac(parseSignature(`t=5,v1=${text}`), bytes('{}'), { secrets: ['s'], hmac })).toBeNull()
  })
})

describe('a signature header', () => {
  it.each([
    ['t=1,v1=ab', '1', ['ab']],
    [' v1 = ab , t = 1 ', '1', ['ab']],
    ['t=1,v0=x,junk,,=,v1=ab=cd', '1', ['ab=cd']],
    ['t=0001,v1=a,v1=,v1=b', '0001', ['a', 'b']],
  ])('parses %j', (header, timestamp, candidates) => {
    expect(parseSignature(header)).toEqual({ timestamp, candidates })
  })

  it.each([
    '',
    'v1=ab',
    't=,v1=ab',
    't=1',
    't=1,v1=',
    't=1,t=1,v1=ab',
    't=1.0,v1=ab',
    't=1e3,v1=ab',
    't=-1,v1=ab',
    't=0x1,v1=ab',
    't= ,v1=a',
    't=１,v1=a',
  ])('%j is invalid', (header) => {
    expect(codeOf(() => parseSignature(header))).toBe('SignatureInvalidError')
  })

  it('reports only "invalid" for any text', () => {
    fc.assert(
      fc.property(fc.string(), (header) => {
        expect(['SignatureInvalidError', undefined]).toContain(codeOf(() => parseSignature(header)))
      }),
    )
  })
})

describe('the window', () => {
  const nowMs = 1_700_000_000_000
  it.each([
    [0, undefined],
    [signatureWindowMs, undefined],
    [-signatureWindowMs, undefined],
    [signatureWindowMs + 1, 'SignatureExpiredError'],
    [-signatureWindowMs - 1, 'SignatureExpiredError'],
  ])('includes a time %i ms away: %s', (awayMs, code) => {
    expect(codeOf(() => verifyTimestamp({ timestamp: `${nowMs + awayMs}`, candidates: [] }, nowMs))).toBe(code)
  })

  it('rejects more than 15 digits, and seconds', () => {
    for (const timestamp of ['9'.repeat(16), '0'.repeat(400), '1700000000'])
      expect(codeOf(() => verifyTimestamp({ timestamp, candidates: [] }, nowMs))).toBe('SignatureExpiredError')
  })
})

describe('a coded error', () => {
  it('is identified by its code', () => {
    const error = new CodedError('BridgeError', 'x')
    expect([isCodedError(error), isCodedError(error, 'BridgeError'), isCodedError(error, 'PayloadTooLarge')]).toEqual([
      true,
      true,
      false,
    ])
  })

  it('is recognized across copies, and cannot be forged by data', () => {
    expect(isCodedError(JSON.parse('{"code":"BridgeError","status":500}'))).toBe(false)
    expect(
      isCodedError(
        new Proxy(
          {},
          {
            get: () => {
              throw new Error('no')
            },
          },
        ),
      ),
    ).toBe(false)
  })
})
