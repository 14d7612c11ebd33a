import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { draws } from '../../../../test/scope.ts'
import { encodingsOf } from '../../fixtures/encodings.ts'
import { leaks } from '../../fixtures/leaks.ts'
import { createRedact, redactValue } from './redact.ts'

const visible = Array.from({ length: 94 }, (_none, index) => String.fromCharCode(33 + index))
const anyKey = fc.string({ unit: fc.constantFrom(...visible), minLength: 8, maxLength: 64 })
const encoded = anyKey.chain((key) => fc.tuple(fc.constant(key), encodingsOf(key)))

const runs = draws(100, 5000)

describe('the secret', { timeout: 60_000 + runs * 20 }, () => {
  it('is found in every encoding, and in any mix of encodings', () => {
    fc.assert(
      fc.property(encoded, fc.string(), fc.string(), ([key, form], before, after) => {
        fc.pre(leaks(form, key) && !leaks(`${before}${after}`, key))
        expect(leaks(createRedact(key)(`${before} ${form} ${after}`), key)).toBe(false)
      }),
      { numRuns: runs },
    )
  })

  it.each<[string, (bytes: readonly number[], key: string) => string]>([
    ['decimal', (bytes) => bytes.join(',')],
    ['decimal with spaces and zeros', (bytes) => bytes.map((byte) => String(byte).padStart(3, '0')).join(', ')],
    ['octal', (bytes) => bytes.map((byte) => `\\${byte.toString(8)}`).join('')],
    ['hexadecimal with dashes', (bytes) => bytes.map((byte) => byte.toString(16)).join('-')],
    ['hexadecimal with prefixes', (bytes) => bytes.map((byte) => `0x${byte.toString(16)}`).join(', ')],
    ['escape()', (bytes) => bytes.map((byte) => `%u00${byte.toString(16)}`).join('')],
    ['quoted-printable', (bytes) => bytes.map((byte) => `=${byte.toString(16)}`).join('')],
    ['quoted-printable that is wrapped', (_bytes, key) => `${key.slice(0, 9)}=\r\n${key.slice(9)}`],
    ['two lines', (_bytes, key) => `${key.slice(0, 9)}\n${key.slice(9)}`],
    ['two bytes each', (_bytes, key) => [...key].join('\0')],
    ['invisible characters between', (_bytes, key) => [...key].join('\u200b')],
    ['Base64 that is wrapped', (_bytes, key) => btoa(`${key}!!`).replace(/.{8}/g, '$&\r\n')],
  ])('is found in %s', (_what, write) => {
    const key = 'sk-live/0123456789_AbCdEf'
    const form = write([...Buffer.from(key)], key)
    expect(createRedact(key)(`got ${form} end`)).toMatch(/^got (?:0x)?\[secret\].{0,7}\s* end$/)
  })

  it('is found in lists of bytes and of characters', () => {
    const key = 'sk-live/0123456789_AbCdEf'
    const lists = { buffer: Buffer.from(key), spread: [...key], other: [1, 2, 3], texts: ['a', 'b'] }
    const value: unknown = JSON.parse(JSON.stringify(lists))
    expect(redactValue(value, createRedact(key))).toEqual({
      buffer: { type: 'Buffer', data: '[secret]' },
      spread: '[secret]',
      other: [1, 2, 3],
      texts: ['a', 'b'],
    })
  })

  it('is detected by the leak check of these tests', () => {
    const key = 'sk-test/0123456789_AbC'
    fc.assert(
      fc.property(encodingsOf(key), (form) => {
        expect(leaks(`x ${form} y`, key)).toBe(true)
      }),
    )
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(leaks(text, key)).toBe(false)
      }),
    )
  })

  it('is redacted without changing any other text', () => {
    fc.assert(
      fc.property(anyKey, fc.string(), (key, text) => {
        fc.pre(!leaks(text, key))
        expect(createRedact(key)(text)).toBe(text)
      }),
    )
  })

  it('leaves no part of the key in truncated text', () => {
    const key = fc.string({ unit: fc.constantFrom(...'abcdefghij0123456789'), minLength: 8, maxLength: 40 })
    const form = key.chain((text) => fc.tuple(fc.constant(text), encodingsOf(text)))
    fc.assert(
      fc.property(form, fc.nat(300), fc.nat(300), fc.nat(600), ([text, way], before, after, maxLength) => {
        const whole = '.'.repeat(before) + way + '.'.repeat(after)
        const redact = createRedact(text)
        fc.pre(redact(whole).replace('[secret]', '').match(/^\.*$/) !== null)
        const cut = redact(whole, maxLength)
        expect(cut).toMatch(/^\.*(?:\[(?:s(?:e(?:c(?:r(?:et?)?)?)?)?)?|\[secret\]\.*)?$/)
        expect(cut.length).toBeLessThanOrEqual(Math.max(maxLength, '[secret]'.length + whole.length - way.length))
      }),
      { numRuns: runs },
    )
  })

  it('leaves no part of the key in truncated text that only partly matches it', () => {
    const key = 'abcdefghij0123456789'
    const redact = createRedact(key)
    fc.assert(
      fc.property(encodingsOf(key), fc.integer({ min: 2, max: 40 }), fc.nat(1500), (form, times, maxLength) => {
        fc.pre(redact(form) === '[secret]')
        const cut = redact(form.repeat(times), maxLength)
        expect(cut).toBe('[secret]'.repeat(times).slice(0, cut.length))
      }),
      { numRuns: runs },
    )
  })

  it('is found only in plain form if it is short, and never by chance inside other words', () => {
    const redact = createRedact('k')
    expect(redact('ApiKey k')).toBe('ApiKey [secret]')
    expect(redact('Kept')).toBe('Kept')
  })

  it('is removed from keys and values, and everything else is kept', () => {
    const key = 'sk-test-0123456789'
    const value = JSON.parse(`{"${key}":["${key}",{"__proto__":"x ${key}"}],"n":[1,true,null,""]}`)
    expect(JSON.stringify(redactValue(value, createRedact(key)))).toBe(
      '{"[secret]":["[secret]",{"__proto__":"x [secret]"}],"n":[1,true,null,""]}',
    )
    fc.assert(
      fc.property(fc.jsonValue(), (json) => {
        expect(redactValue(json, createRedact(key))).toEqual(json)
      }),
    )
  })

  it('is found in linear time', () => {
    const key = 'sk-%25-\\u0041-&#38;-aaaaaaaaaaaaaaaa'
    const redact = createRedact(key)
    const hostile = ['%25', '\\', '\\u', '&#0', 'a', 'sk-', '%', `${key.slice(0, -1)}`, 'sk-%2525']
    for (const piece of hostile) {
      const startMs = process.cpuUsage().user / 1000
      redact(piece.repeat(Math.ceil(262_144 / piece.length)))
      expect(process.cpuUsage().user / 1000 - startMs).toBeLessThan(5000)
    }
  })
})
