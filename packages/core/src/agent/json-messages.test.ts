import { describe, expect, test } from 'vitest'
import { checkToolInput, toJsonMessages } from './json-messages.ts'

const bytes = new Uint8Array([0x89, 0x50, 0x4e, 0x47])
const carry = (data: unknown): unknown => toJsonMessages([{ role: 'user', content: [{ type: 'file', data }] }])[0]
const file = (data: unknown): unknown => ({ role: 'user', content: [{ type: 'file', data }] })

describe('messages converted to JSON', () => {
  test.each<[string, unknown]>([
    ['a Uint8Array', bytes],
    ['a part of a larger buffer', new Uint8Array([0, ...bytes, 0]).subarray(1, 5)],
    ['a Buffer', Buffer.from(bytes)],
    ['an ArrayBuffer', bytes.slice().buffer],
    ['a DataView', new DataView(bytes.slice().buffer)],
  ])('contain %s as Base64', (_what, data) => {
    expect(carry(data)).toEqual(file('iVBORw=='))
  })

  test.each<[string, unknown, unknown]>([
    ['an address', new URL('https://a.test/x.png'), 'https://a.test/x.png'],
    ['a date', new Date(0), '1970-01-01T00:00:00.000Z'],
    ['an object that says what it is', { toJSON: () => ({ amount: '7.00' }) }, { amount: '7.00' }],
    [
      'an object of a class',
      new (class Order {
        id = 7
      })(),
      { id: 7 },
    ],
    ['fields without a value', { a: undefined, b: null }, { b: null }],
    ['a field of any name', JSON.parse('{"__proto__":{"a":1}}'), JSON.parse('{"__proto__":{"a":1}}')],
  ])('contain %s in the form that models read', (_what, data, expected) => {
    expect(JSON.stringify(carry(data))).toBe(JSON.stringify(file(expected)))
  })

  const round: { self?: unknown } = {}
  round.self = round
  test.each<[string, unknown, string]>([
    ['a function', () => 1, 'a value of type function'],
    ['a bigint', 7n, 'a value of type bigint'],
    ['a symbol', Symbol('x'), 'a value of type symbol'],
    ['no number', Number.NaN, 'the number NaN'],
    ['a map', new Map([[1, 2]]), 'a value of type Map'],
    ['an error', new Error('x'), 'a value of type Error'],
    ['a promise', Promise.resolve(1), 'a value of type Promise'],
    ['a date without a time', new Date(Number.NaN), 'a value of type Date'],
  ])('are rejected for %s, which JSON would drop or change', (_what, data, description) => {
    expect(() => carry(data)).toThrow(
      new TypeError(
        `replyFrom(): message 0 has ${description} at /content/0/data, which cannot be stored as JSON. ` +
          'Tools and messages may contain plain JSON, bytes and URLs.',
      ),
    )
  })

  test('are rejected if a list contains undefined or the data is cyclic', () => {
    expect(() => carry([undefined])).toThrow('a value of type undefined at /content/0/data/0')
    expect(() => carry(round)).toThrow('message 0 is nested deeper than 50 levels')
  })
})

describe('the input of a tool', () => {
  test.each<[string, unknown]>([
    ['Date', new Date(0)],
    ['Uint8Array', bytes],
    ['URL', new URL('https://a.test')],
    ['bigint', 7n],
    ['undefined', undefined],
    ['Order', new (class Order {})()],
    ['Object', Object.create(Object.create(Object.create(null)))],
  ])('must be preserved exactly: %s is not', (kind, value) => {
    expect(() => checkToolInput('refund', { order: { id: value } })).toThrow(
      `the input of tool "refund" has a value of type ${kind} at /order/id, which cannot be stored as JSON`,
    )
  })

  test('can be any JSON, or missing', () => {
    for (const input of [{ a: [1, 'x', null, true, {}] }, 'x', null, undefined, Object.create(null)])
      expect(() => checkToolInput('refund', input)).not.toThrow()
  })
})
