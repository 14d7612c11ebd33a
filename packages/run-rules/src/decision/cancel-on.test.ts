import { describe, expect, test } from 'vitest'
import { findCancelOnFault, toCancelKeys } from './cancel-on.ts'
import { isMatch, toEventKeys, toMatchKeys } from './event-wait.ts'

describe('the fields of an event that cancels a run', () => {
  const match = { orderId: 'id', shop: 'shop' }

  test('are compared with the named fields of the payload', () => {
    const keys = toCancelKeys({ event: 'e', match }, { id: { n: 7 }, shop: null, more: 1 })
    expect(keys).toEqual(toMatchKeys({ orderId: { n: 7 }, shop: null }))
    expect(isMatch(keys ?? [], toEventKeys({ payload: { orderId: { n: 7 }, shop: null, at: 1 } }))).toBe(true)
    expect(isMatch(keys ?? [], toEventKeys({ payload: { orderId: { n: 7 }, shop: 's' } }))).toBe(false)
  })

  test('are empty without match', () => {
    expect(toCancelKeys({ event: 'e' }, { id: 1 })).toEqual([])
  })

  test.each([
    ['lacks a field', { id: 1 }],
    ['inherits a field', Object.assign(Object.create({ shop: 's' }), { id: 1 })],
    ['has a value that is too long', { id: 1, shop: 'x'.repeat(1001) }],
  ])('cannot match if the payload %s', (_what, payload) => {
    expect(toCancelKeys({ event: 'e', match }, payload)).toBeUndefined()
  })
})

test.each<[unknown, string | undefined]>([
  [[], undefined],
  [[{ event: 'e' }, { event: 'f', match: { a: 'b' } }], undefined],
  [{ event: 'e' }, 'must be a list of up to 10 events'],
  [Array.from({ length: 11 }, () => ({ event: 'e' })), 'must be a list of up to 10 events'],
  [[{ event: 'e' }, { event: 'a\nb' }], 'entry 2 has no valid event'],
  [[null], 'entry 1 has no valid event'],
  [[{ event: 'e', match: [] }], 'match of entry 1 must be an object'],
  [[{ event: 'e', match: { a: 1 } }], 'match of entry 1 must be an object'],
  [
    [{ event: 'e', match: Object.fromEntries(Array.from({ length: 11 }, (_, n) => [n, 'f'])) }],
    'match of entry 1 must be an object with up to 10',
  ],
])('%j as a list of events that cancel: %s', (cancelOn, fault) => {
  if (fault === undefined) expect(findCancelOnFault(cancelOn)).toBeUndefined()
  else expect(findCancelOnFault(cancelOn)).toContain(fault)
})
