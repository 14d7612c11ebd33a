import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { draws } from '../../../../test/scope.ts'
import { toCanonicalJson } from './canonical-json.ts'
import { eventLimits, findEventFault, findEventWaitFault, isEventName, isMatch, toMatchKeys } from './event-wait.ts'

const fields = fc
  .dictionary(fc.oneof(fc.constantFrom('id', 'a', '__proto__', 'constructor', ''), fc.string()), fc.jsonValue())
  .map((value) => JSON.parse(JSON.stringify(value)) as Record<string, unknown>)

/** Returns the same value with the fields of all objects in reverse order. */
function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversed)
  if (typeof value !== 'object' || value === null) return value
  const parts = Object.entries(value)
    .reverse()
    .map(([name, item]) => `${JSON.stringify(name)}:${JSON.stringify(reversed(item))}`)
  return JSON.parse(`{${parts.join()}}`)
}

describe('matching', () => {
  test('does not depend on the order of fields', () => {
    fc.assert(
      fc.property(fields, (one) => {
        expect(new Set(toMatchKeys(reversed(one) as object as Record<string, unknown>))).toEqual(
          new Set(toMatchKeys(one)),
        )
      }),
      { numRuns: draws(300, 20_000) },
    )
  })

  test('treats equal JSON as equal, and different JSON as different', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (left, right) => {
        const [one, other] = [left, right].map((value) => JSON.parse(JSON.stringify(value)) as unknown)
        const isSame = toCanonicalJson(one, 1e6) === toCanonicalJson(other, 1e6)
        let isEqual = true
        try {
          expect(one).toStrictEqual(other)
        } catch {
          isEqual = false
        }
        expect(isSame).toBe(isEqual)
        expect(toCanonicalJson(one, 1e6)).toBe(toCanonicalJson(reversed(one), 1e6))
      }),
      { numRuns: draws(300, 20_000) },
    )
  })

  test('requires each compared field, and ignores others', () => {
    fc.assert(
      fc.property(fields, fields, (wanted, more) => {
        const merged = JSON.parse(JSON.stringify(more)) as Record<string, unknown>
        for (const [name, value] of Object.entries(wanted))
          Object.defineProperty(merged, name, { value, enumerable: true, configurable: true, writable: true })
        expect(isMatch(toMatchKeys(wanted), toMatchKeys(merged))).toBe(true)
        for (const name of Object.keys(wanted)) {
          const lacks = Object.fromEntries(Object.entries(merged).filter(([key]) => key !== name))
          expect(isMatch(toMatchKeys({ [name]: wanted[name] }), toMatchKeys(lacks))).toBe(false)
        }
      }),
      { numRuns: draws(200, 10_000) },
    )
  })

  test('compares own fields only, and distinguishes 1 from "1"', () => {
    expect(isMatch(toMatchKeys({ toString: 1 }), toMatchKeys({}))).toBe(false)
    expect(isMatch(toMatchKeys({ id: 1 }), toMatchKeys({ id: '1' }))).toBe(false)
    expect(isMatch(toMatchKeys({ id: null }), toMatchKeys({}))).toBe(false)
    expect(isMatch([], toMatchKeys({ id: 1 }))).toBe(true)
  })

  test('omits values that no wait can compare, however deep they are', () => {
    const deep = JSON.parse(`${'['.repeat(50_000)}${']'.repeat(50_000)}`) as unknown
    expect(toMatchKeys({ deep, long: 'x'.repeat(eventLimits.value), id: 1 })).toEqual(['["id",1]'])
    expect(toMatchKeys({ long: 'x'.repeat(eventLimits.value - 2) })).toHaveLength(1)
  })
})

describe('names', () => {
  test.each(['incident.acknowledged', 'a b', 'ä', 'x'.repeat(255)])('accepts %j', (name) => {
    expect(isEventName(name)).toBe(true)
  })
  test.each(['', 'x'.repeat(256), 'a\nb', '\0', '\ud800', 7, null, undefined])('rejects %j', (name) => {
    expect(isEventName(name)).toBe(false)
  })
})

describe('a wait', () => {
  const timeout = { amount: 1, unit: 'hours' }
  const many = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, index) => [`f${index}`, 1]))

  test.each<[string, Record<string, unknown>]>([
    ['event must be', { timeout }],
    ['match must be an object', { event: 'e', timeout, match: [1] }],
    ['match must be an object', { event: 'e', timeout, match: null }],
    ['more than 10 fields', { event: 'e', timeout, match: many(11) }],
    ['more than 1000 characters', { event: 'e', timeout, match: { text: 'x'.repeat(1000) } }],
    ['timeout is missing', { event: 'e' }],
    ['timeout must be an object', { event: 'e', timeout: 5 }],
  ])('is invalid: %s', (reason, outputs) => {
    expect(findEventWaitFault(outputs)).toContain(reason)
  })

  test('is valid within the limits', () => {
    expect(findEventWaitFault({ event: 'e', timeout })).toBeUndefined()
    expect(findEventWaitFault({ event: 'e', timeout, match: many(10) })).toBeUndefined()
  })

  test('for an event with many fields must list the fields to compare', () => {
    expect(findEventFault({ name: 'e', payload: many(51) })).toMatchObject({ field: 'payload' })
    expect(findEventFault({ name: 'e', payload: {}, match: many(51) })).toMatchObject({ field: 'match' })
    expect(findEventFault({ name: 'e', payload: many(51), match: {} })).toBeUndefined()
    expect(findEventFault({ name: '', payload: {} })).toMatchObject({ field: 'name' })
  })
})
