import { expect, test } from 'vitest'
import { toClock } from './to-clock.ts'

test.each([
  ['09:00', '09:00'],
  ['7:30', '07:30'],
  ['09:00 AM', '09:00'],
  ['12:15 AM', '00:15'],
  ['12:00PM', '12:00'],
  ['5:45 pm', '17:45'],
  ['24:00', '00:00'],
])('reads %s as %s', (time, clock) => {
  expect(toClock(time)).toBe(clock)
})
