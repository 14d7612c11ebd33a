import { createVerify, generateKeyPairSync } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { draws } from '../../../../../test/scope.ts'
import { signForAws } from './aws-signature.ts'
import { isSigningKey, signToken } from './json-web-token.ts'

const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 })
const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const toPem = (key: typeof rsa.privateKey): string => String(key.export({ type: 'pkcs8', format: 'pem' }))
const keys = { RS256: toPem(rsa.privateKey), ES256: toPem(ec.privateKey) }

describe('a signed token', () => {
  test.each(['RS256', 'ES256'] as const)('with %s is verified by the public key', (alg) => {
    const [head = '', claims = '', signature = ''] = signToken({ alg, kid: 'k' }, { iss: 'é' }, keys[alg]).split('.')
    const read = (part: string): unknown => JSON.parse(Buffer.from(part, 'base64url').toString())
    expect([read(head), read(claims)]).toEqual([{ alg, kid: 'k' }, { iss: 'é' }])
    const key = alg === 'RS256' ? rsa.publicKey : ec.publicKey
    const verifier = createVerify('sha256').update(`${head}.${claims}`)
    expect(verifier.verify({ key, dsaEncoding: 'ieee-p1363' }, signature, 'base64url')).toBe(true)
    expect(Buffer.from(signature, 'base64url')).toHaveLength(alg === 'RS256' ? 256 : 64)
  })

  test('requires a key for its algorithm', () => {
    const other = toPem(generateKeyPairSync('ec', { namedCurve: 'P-384' }).privateKey)
    expect(isSigningKey(keys.RS256, 'RS256')).toBe(true)
    expect(isSigningKey(keys.ES256, 'ES256')).toBe(true)
    for (const text of [keys.ES256, 'nonsense', '']) expect(isSigningKey(text, 'RS256')).toBe(false)
    for (const text of [keys.RS256, other, '']) expect(isSigningKey(text, 'ES256')).toBe(false)
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => !isSigningKey(text, 'RS256')),
      { numRuns: draws(30, 500) },
    )
  })
})

describe('an AWS signature', () => {
  const auth = {
    kind: 'aws',
    ...{ accessKeyId: 'AKIDEXAMPLE', secretKey: 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY' },
    ...{ region: 'us-east-1', service: 'service' },
  } as const
  const nowMs = Date.UTC(2015, 7, 30, 12, 36)
  const sign = (method: string, url: string, rest: { readonly headers?: Record<string, string>; text?: string } = {}) =>
    signForAws(auth, { method, url, headers: {}, text: '', nowMs, ...rest })['authorization']

  // Signatures from the test suite that AWS publishes for version 4.
  test.each([
    ['get-vanilla', 'GET', '', '5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31'],
    [
      'get-vanilla-query-order-key-case',
      'GET',
      '?Param2=value2&Param1=value1',
      'b97d918cfa904a5beff61c982a1b6f458b799221646efd99d3219ec94cdf2500',
    ],
    ['post-vanilla', 'POST', '', '5da7c1a2acd57cee7505fc6676e4e544621c30862966e37dddb68e92efbe5d6b'],
  ])('equals that of the published test %s', (_name, method, query, signature) => {
    expect(sign(method, `https://example.amazonaws.com/${query}`)).toBe(
      `AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20150830/us-east-1/service/aws4_request, SignedHeaders=host;x-amz-date, Signature=${signature}`,
    )
  })

  test('equals that of the published test post-x-www-form-urlencoded', () => {
    const headers = { 'content-type': 'application/x-www-form-urlencoded', accept: 'not signed' }
    expect(sign('POST', 'https://example.amazonaws.com/', { headers, text: 'Param1=value1' })).toContain(
      'SignedHeaders=content-type;host;x-amz-date, Signature=ff11897932ad3f4e8b18135d722051e5ac45fc38421b1da7b9d196a0fe09473a',
    )
  })

  test('differs if any part of the request differs', () => {
    const url = 'https://example.amazonaws.com/a%20b?c=%2F'
    const all = [
      sign('GET', url),
      sign('POST', url),
      sign('GET', url, { text: 'x' }),
      sign('GET', 'https://example.amazonaws.com/a%20b?c=%2F&d=1'),
      sign('GET', 'https://example.amazonaws.com/a%2520b?c=%2F'),
      sign('GET', url, { headers: { 'x-amz-target': '1' } }),
    ]
    expect(new Set(all).size).toBe(all.length)
  })
})
