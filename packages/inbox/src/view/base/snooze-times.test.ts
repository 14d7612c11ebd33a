import { expect, test } from 'vitest'
import { toSnoozeTimes } from './snooze-times.ts'

const timesOf = (now: Date) => Object.fromEntries(toSnoozeTimes(now).map(({ text, until }) => [text, until]))

test('offers an hour, this evening, tomorrow and Monday', () => {
  expect(timesOf(new Date(2026, 10, 26, 10, 20))).toEqual({
    inAnHour: new Date(2026, 10, 26, 11, 20),
    thisEvening: new Date(2026, 10, 26, 18),
    tomorrow: new Date(2026, 10, 27, 9),
    nextWeek: new Date(2026, 10, 30, 9),
  })
})

test('omits the evening option when evening is near', () => {
  expect(timesOf(new Date(2026, 10, 26, 16))).not.toHaveProperty('thisEvening')
})

test.each([
  [new Date(2026, 10, 29, 10), new Date(2026, 11, 7, 9)],
  [new Date(2026, 10, 30, 10), new Date(2026, 11, 7, 9)],
])('never offers the same Monday twice: on %o next week is %o', (now, nextWeek) => {
  const times = timesOf(now)
  expect(times['nextWeek']).toEqual(nextWeek)
  expect(times['tomorrow']).not.toEqual(nextWeek)
})
