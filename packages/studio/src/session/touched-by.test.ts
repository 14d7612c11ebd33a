import { expect, test } from 'vitest'
import { isTouched, touchedBy } from './touched-by.ts'

test('an event of a run affects the lists and this run, but no other run', () => {
  const touched = touchedBy({ event: 'transition', data: { runId: 'r1' } })
  expect(isTouched('/v1/studio/runs', touched)).toBe(true)
  expect(isTouched('/v1/studio/runs/r1', touched)).toBe(true)
  expect(isTouched('/v1/studio/runs/r1/events', touched)).toBe(true)
  expect(isTouched('/v1/studio/runs/r2', touched)).toBe(false)
  expect(isTouched('/v1/studio/bridge', touched)).toBe(false)
})

test('an event without a run affects all runs, and other events affect only their own data', () => {
  expect(isTouched('/v1/studio/runs/r2', touchedBy({ event: 'transition', data: null }))).toBe(true)
  expect(isTouched('/v1/studio/runs', touchedBy({ event: 'bridge.changed', data: {} }))).toBe(false)
  expect(isTouched('/v1/studio/conversations/c1', touchedBy({ event: 'conversation.changed', data: {} }))).toBe(true)
})
