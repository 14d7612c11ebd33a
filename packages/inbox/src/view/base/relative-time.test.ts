import { expect, test } from 'vitest'
import { toAge, toTimeText } from './relative-time.ts'

const now = new Date(2026, 10, 26, 15, 30).getTime()
const before = (seconds: number): string => new Date(now - seconds * 1000).toISOString()

test.each([
  [0, 'now'],
  [59, 'now'],
  [60, '1m ago'],
  [3599, '59m ago'],
  [7200, '2h ago'],
  [86_400, 'yesterday'],
  [864_000, '10d ago'],
  // The browser's clock may lag behind the service's.
  [-30, 'now'],
])('shows an age of %i seconds as %s', (seconds, text) => {
  expect(toAge(before(seconds), now, 'en')).toBe(text)
})

test('shows ages in other languages', () => {
  expect(toAge(before(120), now, 'de')).toBe('vor 2 m')
})

test.each([
  [new Date(2026, 10, 26, 18), '6:00 PM'],
  [new Date(2026, 10, 27, 9), 'Fri 9:00 AM'],
  [new Date(2026, 11, 7, 9), 'Dec 7, 9:00 AM'],
])('shows %o as %s', (time, text) => {
  expect(toTimeText(time.getTime(), now, 'en').replaceAll(/\s/g, ' ')).toBe(text)
})
