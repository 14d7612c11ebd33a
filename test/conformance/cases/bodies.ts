import { describe, expect, test } from 'vitest'
import { echoQuery, workflows } from '../fixture.ts'
import type { Mount } from '../mounts/mount.ts'
import { useSite } from '../site.ts'

const rest = '"controls":{},"state":[],"subscriber":{}'

/** Equivalent bodies that `JSON.stringify` would write differently. */
const spellings: readonly [name: string, body: string, payload: unknown][] = [
  ['1.0', `{"payload":{"a":1.0},${rest}}`, { a: 1 }],
  ['1e3', `{"payload":{"a":1e3},${rest}}`, { a: 1000 }],
  ['an integer of 20 digits', `{"payload":{"a":12345678901234567890},${rest}}`, { a: Number('12345678901234567890') }],
  ['-0', `{"payload":{"a":-0},${rest}}`, { a: 0 }],
  ['spaces after colons', `{"payload": {"a": 1}, ${rest}}`, { a: 1 }],
  ['a trailing newline', `{"payload":{"a":1},${rest}}\n`, { a: 1 }],
  ['an escaped letter', `{"payload":{"a":"\\u00e9"},${rest}}`, { a: 'é' }],
  ['an escaped slash', `{"payload":{"a":"x\\/y"},${rest}}`, { a: 'x/y' }],
  ['integer-like keys out of order', `{"payload":{"b":1,"2":1,"1":1},${rest}}`, { 1: 1, 2: 1, b: 1 }],
  ['a key twice', `{"payload":{"a":1,"a":2},${rest}}`, { a: 2 }],
  ['an escaped DEL', `{"payload":{"a":"\\u007f"},${rest}}`, { a: '\u007f' }],
  ['separators with spaces', `{"payload": {"a": [1, 2], "b": null}, ${rest}}`, { a: [1, 2], b: null }],
  ['indentation', JSON.stringify({ payload: { a: 1 } }, null, 2), { a: 1 }],
  ['capital hex in an escape', `{"payload":{"a":"\\u00E9"},${rest}}`, { a: 'é' }],
  ['an escaped pair of surrogates', `{"payload":{"a":"\\ud83d\\ude00"},${rest}}`, { a: '😀' }],
]

/** Bodies as written by `JSON.stringify`. */
const canonical: readonly [name: string, body: string, payload: unknown][] = [
  ['plain', `{"payload":{"a":1},${rest}}`, { a: 1 }],
  ['letters beyond ASCII', `{"payload":{"a":"é 語 😀"},${rest}}`, { a: 'é 語 😀' }],
  ['a lone surrogate', `{"payload":{"a":"\\ud800"},${rest}}`, { a: '\ud800' }],
  ['U+2028', `{"payload":{"a":"\u2028"},${rest}}`, { a: '\u2028' }],
  ['the key constructor', `{"payload":{"constructor":{"prototype":1}},${rest}}`, { constructor: { prototype: 1 } }],
  ['the key __proto__', `{"payload":{"__proto__":{"admin":true}},${rest}}`, JSON.parse('{"__proto__":{"admin":true}}')],
]

/** The signature covers the received bytes of the body: protocol 3. */
export function bodies(mount: Mount): void {
  describe('bodies', () => {
    const site = useSite(mount, { workflows })
    const warned = useSite(mount, { workflows })

    test.each(canonical)('%s', async (_name, body, payload) => {
      const { status, json } = await site.call({ query: echoQuery, body })
      expect([status, json.outputs?.payload]).toEqual([200, payload])
    })

    test('suggests checks for a mismatch', async () => {
      const { json } = await site.call({ query: echoQuery, body: '{}', key: 'wrong' })
      if (mount.body === 'parsed') expect(json.message).toMatch(/raw body was not available.*re-serialized as JSON/s)
      else expect(json.message).toMatch(/both sides use the same secret key/)
    })

    test('logs one warning about a body that is only available as an object', async () => {
      for (let index = 0; index < 3; index++) await warned.call({ query: echoQuery, body: '{"payload":{}}' })
      expect(warned.warnings).toHaveLength(mount.body === 'parsed' ? 1 : 0)
    })

    if (mount.body === 'parsed') {
      test.each(spellings)('%s: the response reports that only the parsed object is available', async (_name, body) => {
        const { status, json } = await site.call({ query: echoQuery, body })
        expect([status, json.code]).toEqual([401, 'SignatureMismatchError'])
        expect(json.message).toContain('raw body was not available')
        expect(json.message).toMatch(
          mount.name.startsWith('Next') ? /export const config = / : /req\.rawBody|express\.json/,
        )
      })
    } else
      test.each(spellings)('%s', async (_name, body, payload) => {
        const { status, json } = await site.call({ query: echoQuery, body })
        expect([status, json.outputs?.payload]).toEqual([200, payload])
      })
  })
}
