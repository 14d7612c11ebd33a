import { expect, test } from 'vitest'
import { isTouched, touchedBy } from './touched-by.ts'

const transition = (more: object = {}) =>
  touchedBy({ event: 'transition', data: { runId: 'r1', subscriberId: 'a/b', jobId: 'j1', ...more } })
const touches = (path: string, touched: readonly string[], query?: object): boolean =>
  isTouched({ path, ...(query && { query }) }, touched)

test('an event of a run affects the lists and this run, but no other run', () => {
  const touched = transition()
  expect(touches('/v1/studio/runs', touched)).toBe(true)
  expect(touches('/v1/studio/runs/r1', touched)).toBe(true)
  expect(touches('/v1/studio/runs/r1/events', touched)).toBe(true)
  expect(touches('/v1/studio/runs/r2', touched)).toBe(false)
  expect(touches('/v1/studio/bridge', touched)).toBe(false)
})

test('a warning of a step affects the status of the bridge, which lists it', () => {
  expect(touches('/v1/studio/bridge', transition({ status: 'Warning' }))).toBe(true)
  expect(touches('/v1/studio/bridge', transition({ status: 'Failed' }))).toBe(false)
})

test('an event of a run affects its own subscriber only', () => {
  const touched = transition()
  for (const path of ['/v2/subscribers/a%2Fb', '/v2/subscribers/a%2Fb/notifications'])
    expect(touches(path, touched)).toBe(true)
  for (const path of ['/v2/subscribers/a', '/v2/subscribers/other/preferences'])
    expect(touches(path, touched)).toBe(false)
  expect(touches('/v1/studio/messages', touched, { subscriberId: 'a/b', page: 0 })).toBe(true)
  expect(touches('/v1/studio/messages', touched, { subscriberId: 'other' })).toBe(false)
  expect(touches('/v1/studio/messages', touched)).toBe(true)
})

test('a step affects the outbox, and the start of a run the list of subscribers', () => {
  expect(['/v1/studio/outbox', '/v2/subscribers'].map((path) => touches(path, transition()))).toEqual([true, false])
  const own = transition({ jobId: null })
  const lists = ['/v2/subscribers', '/v1/studio/subscribers']
  expect(['/v1/studio/outbox', ...lists].map((path) => touches(path, own))).toEqual([false, true, true])
})

test('an event without a run affects all runs, and other events affect only their own data', () => {
  expect(touches('/v1/studio/runs/r2', touchedBy({ event: 'transition', data: null }))).toBe(true)
  expect(touches('/v1/studio/runs', touchedBy({ event: 'bridge.changed', data: {} }))).toBe(false)
  expect(touches('/v1/studio/conversations/c1', touchedBy({ event: 'conversation.changed', data: {} }))).toBe(true)
})
