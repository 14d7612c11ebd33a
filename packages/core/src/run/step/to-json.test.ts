import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { toJson } from './to-json.ts'

const circular: Record<string, unknown> = {}
circular['self'] = { back: circular }
const deep = (levels: number): unknown => (levels === 0 ? {} : { next: deep(levels - 1) })

describe('the result of user code', () => {
  it('is copied as JSON would copy it', () =>
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (value) => {
        expect(JSON.stringify(toJson(value))).toBe(JSON.stringify({ value }))
      }),
    ))

  it.each<[string, unknown, unknown]>([
    ['undefined fields are left out', { a: undefined, b: 1 }, { b: 1 }],
    ['undefined items become null', { a: [1, undefined, 2] }, { a: [1, null, 2] }],
    [
      'toJSON is honoured',
      { at: new Date(0), url: new URL('https://a.example/') },
      { at: '1970-01-01T00:00:00.000Z', url: 'https://a.example/' },
    ],
    ['boxed values are unboxed', { a: Object(1), b: Object('x') }, { a: 1, b: 'x' }],
    ['frozen objects are fine', Object.freeze({ a: Object.freeze([1]) }), { a: [1] }],
    [
      'one object twice is no cycle',
      (() => {
        const x = { n: 1 }
        return { a: x, b: x }
      })(),
      { a: { n: 1 }, b: { n: 1 } },
    ],
    ['symbol keys are left out', { [Symbol('s')]: 1, a: 1 }, { a: 1 }],
  ])('%s', (_name, value, expected) => {
    expect(toJson(value)).toEqual({ value: expected })
  })

  it('keeps __proto__ as data', () => {
    const { value } = toJson(JSON.parse('{"__proto__":{"admin":true}}')) as { value: Record<string, unknown> }
    expect(Object.keys(value)).toEqual(['__proto__'])
    expect(value['admin']).toBeUndefined()
  })

  it.each<[string, unknown, string, RegExp]>([
    ['undefined', undefined, '', /undefined/],
    ['null', null, '', /null/],
    ['an array', [1], '', /array/],
    ['a text', 'x', '', /string/],
    ['a function inside', { a: [{ b: () => 1 }] }, '/a/0/b', /function/],
    ['a symbol inside', { a: Symbol('s') }, '/a', /symbol/],
    ['a BigInt inside', { a: 1n }, '/a', /bigint/],
    ['a Map', new Map([['a', 1]]), '', /Map, .*Object\.fromEntries/],
    ['a Set inside', { a: [new Set([1])] }, '/a/0', /Set, .*list/],
    ['what is not awaited', { a: Promise.resolve(1) }, '/a', /Promise/],
    ['a regular expression', { a: /x/ }, '/a', /RegExp, .*string/],
    ['an invalid date', { due: new Date('n/a') }, '/due', /invalid Date/],
    ['NaN inside', { 'a/b~c': Number.NaN }, '/a~1b~0c', /NaN/],
    ['infinity inside', { a: Number.NEGATIVE_INFINITY }, '/a', /Infinity/],
    ['a cycle', circular, '/self/back', /refers back/],
    ['too deep', deep(150), `${'/next'.repeat(100)}`, /deeper than 100/],
    [
      'a getter that throws',
      {
        get a() {
          throw new Error('no')
        },
      },
      '/a',
      /reading it throws/,
    ],
    [
      'a toJSON that throws',
      {
        a: {
          toJSON() {
            throw new Error('no')
          },
        },
      },
      '/a',
      /reading it throws/,
    ],
    [
      'a proxy that throws',
      {
        a: new Proxy(
          {},
          {
            ownKeys() {
              throw new Error('no')
            },
          },
        ),
      },
      '/a',
      /reading it throws/,
    ],
  ])('%s is an issue that names the path', (_name, value, path, message) => {
    expect(toJson(value).issues?.[0]).toEqual({ path, message: expect.stringMatching(message) })
  })

  it('reports issues with the correct path after a read that threw', () => {
    const broken = {
      get a() {
        throw new Error('no')
      },
    }
    expect(toJson({ x: broken, y: 1n }).issues?.map(({ path }) => path)).toEqual(['/x/a', '/y'])
  })

  it('has at most 50 reported issues', () => {
    expect(toJson({ a: Array.from({ length: 100 }, () => 1n) }).issues).toHaveLength(50)
  })
})
