import { expect, test } from 'vitest'
import { readTime } from './read-time.ts'

test.each([
  ['2026-04-01T09:00:00Z', '2026-04-01T09:00:00.000Z'],
  ['2026-04-01T09:00', '2026-04-01T07:00:00.000Z'],
  ['2026-04-01 09:00 +0530', '2026-04-01T03:30:00.000Z'],
  ['1 April 2026 9:00 GMT', '2026-04-01T09:00:00.000Z'],
  ['2026-04-01', '2026-04-01T00:00:00.000Z'],
])('%s is %s in Berlin', (text, expected) => {
  expect(new Date(readTime(text, 'Europe/Berlin') ?? 0).toISOString()).toBe(expected)
})

test('a text that is no time is none, however long it is', () => {
  expect(readTime('soon', 'UTC')).toBeUndefined()
  // What stands in brackets is read as a remark.
  expect(readTime(`2026-01-01 00:00 (${':'.repeat(200_000)})`, 'UTC')).toBeUndefined()
})
