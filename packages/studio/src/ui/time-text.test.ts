import { expect, test } from 'vitest'
import { formatRelative } from './time-text.tsx'

const hour = 3_600_000

test.each([
  [-4000, 'just now'],
  [-59_999, '59 sec. ago'],
  [90_000, 'in 1 min.'],
  [-23 * hour, '23 hr. ago'],
  // Not "yesterday", which it may not be.
  [-24 * hour, '1 day ago'],
  [-47 * hour, '1 day ago'],
  [-48 * hour, '2 days ago'],
  [47 * hour, 'in 1 day'],
])('%i ms from now is %s', (ms, text) => {
  expect(formatRelative(ms)).toBe(text)
})
