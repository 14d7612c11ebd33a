import { createHmac, hkdfSync } from 'node:crypto'
import { checkMac, parseSignature } from '@trestle/protocol'
import { describe, expect, test } from 'vitest'
import { deriveKey, type KeyPurpose } from './derive-key.ts'
import { isSubscriberHash, toSubscriberHash } from './subscriber-hash.ts'

const secretKey = 'sk_test_0123456789abcdef'

test('derives different keys for each purpose and secret', () => {
  const purposes: Record<KeyPurpose, true> = {
    sealing: true,
    'oauth-state': true,
    'studio-session': true,
    'known-browser': true,
    'oidc-flow': true,
    'inbox-session': true,
    'subscriber-hash': true,
  }
  const keys = [secretKey, 'sk_other', Buffer.alloc(32, 1)].flatMap((secret) => [
    Buffer.from(secret).toString('hex'),
    ...Object.keys(purposes).map((purpose) => deriveKey(secret, purpose as KeyPurpose).toString('hex')),
  ])
  expect(new Set(keys).size).toBe(keys.length)
  expect(deriveKey(secretKey, 'sealing')).toHaveLength(32)
})

describe('subscriber hash', () => {
  // The documented algorithm, for apps in any language.
  const documented = (subscriberId: string): string => {
    const key = hkdfSync('sha256', secretKey, '', 'trestle/subscriber-hash', 32)
    return createHmac('sha256', Buffer.from(key)).update(subscriberId).digest('hex')
  }

  test('matches the documented algorithm', () => {
    expect(toSubscriberHash(secretKey, 'ada')).toBe(documented('ada'))
    expect(isSubscriberHash(documented('ada'), secretKey, 'ada')).toBe(true)
    for (const wrong of [
      documented('eve'),
      documented('ada').toUpperCase(),
      '',
      createHmac('sha256', secretKey).update('ada').digest('hex'),
    ])
      expect(isSubscriberHash(wrong, secretKey, 'ada')).toBe(false)
  })

  test.each(['{}', '{"payload":{"admin":true},"subscriber":{},"state":[],"controls":{},"context":{}}'])(
    'of an identifier that looks like a signed call is not a signature of the body %s',
    async (body) => {
      const t = 1_795_647_182_880
      const check = (v1: string) =>
        checkMac(parseSignature(`t=${t},v1=${v1}`), new TextEncoder().encode(body), { secrets: [secretKey] })
      const signature = createHmac('sha256', secretKey).update(`${t}.${body}`).digest('hex')
      expect(await check(signature)).toBe(signature)
      expect(await check(toSubscriberHash(secretKey, `${t}.${body}`))).toBeNull()
    },
  )
})
