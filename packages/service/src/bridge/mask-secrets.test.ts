import { escapeHtml } from '@trestle/html/escape'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { maskSecrets, secretMask } from './mask-secrets.ts'

const escapes: Readonly<Record<string, (secret: string) => string>> = {
  'in plain text': (secret) => secret,
  'in a rendered template': escapeHtml,
  'in HTML of other libraries': (secret) =>
    secret.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;'),
  'in JSON': (secret) => JSON.stringify(secret).slice(1, -1),
  'in a URL': (secret) => encodeURIComponent(Buffer.from(secret).toString()),
}

describe.each(Object.entries(escapes))('a secret %s', (_place, write) => {
  test('is masked, for random secrets', () => {
    // Characters that some encodings escape are frequent, and the mask itself is not part of a secret.
    const character = fc.oneof(fc.constantFrom(...'&<>"\'% /+'), fc.string({ unit: 'grapheme', minLength: 1 }))
    const secret = fc.string({ unit: character, minLength: 4, maxLength: 40 }).filter((one) => !one.includes('*'))
    fc.assert(
      fc.property(secret, (one) => {
        expect(maskSecrets({ html: [`[${write(one)}]`] }, [one])).toEqual({ html: [`[${secretMask}]`] })
      }),
    )
  })
})

test('a short secret is masked only if it is the whole text', () => {
  expect(maskSecrets(['abc', 'abcd'], ['abc'])).toEqual([secretMask, 'abcd'])
})
