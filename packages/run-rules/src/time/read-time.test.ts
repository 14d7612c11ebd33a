import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readTime } from './read-time.ts'
import { createZoneClock } from './zone-clock.ts'

test.each([
  ['2026-04-01T09:00:00Z', '2026-04-01T09:00:00.000Z'],
  ['2026-04-01T09:00', '2026-04-01T07:00:00.000Z'],
  ['2026-04-01 09:00 +0530', '2026-04-01T03:30:00.000Z'],
  ['1 April 2026 9:00 GMT', '2026-04-01T09:00:00.000Z'],
  ['2026-04-01 09:00:00+00', '2026-04-01T09:00:00.000Z'],
  ['2026-04-01 09:00:00.123-03', '2026-04-01T12:00:00.123Z'],
  ['1 April 2026 9:00 UTC+2', '2026-04-01T07:00:00.000Z'],
  ['2026-04-01', '2026-04-01T00:00:00.000Z'],
])('%s is %s in Berlin', (text, expected) => {
  expect(new Date(readTime(text, 'Europe/Berlin') ?? 0).toISOString()).toBe(expected)
})

test.each([
  ['left out in the spring', '2026-03-29T02:30', 'Europe/Berlin', '2026-03-29T01:30:00.000Z'],
  ['there twice in the autumn', '2026-10-25T02:30', 'Europe/Berlin', '2026-10-25T00:30:00.000Z'],
  ['left out in the spring', '2026-03-08T02:30', 'America/New_York', '2026-03-08T07:30:00.000Z'],
  ['there twice in the autumn', '2026-11-01T01:30', 'America/New_York', '2026-11-01T05:30:00.000Z'],
  ['left out for half an hour', '2026-10-04T02:15', 'Australia/Lord_Howe', '2026-10-03T15:45:00.000Z'],
  ['there twice for half an hour', '2026-04-05T01:45', 'Australia/Lord_Howe', '2026-04-04T14:45:00.000Z'],
  ['left out after Ramadan', '2026-03-22T02:30', 'Africa/Casablanca', '2026-03-22T02:30:00.000Z'],
  ['there twice before Ramadan', '2026-02-15T02:30', 'Africa/Casablanca', '2026-02-15T01:30:00.000Z'],
  ['left out at midnight', '2026-09-06T00:30', 'America/Santiago', '2026-09-06T04:30:00.000Z'],
  ['on a day that was left out', '2011-12-30T12:00', 'Pacific/Apia', '2011-12-30T22:00:00.000Z'],
])('reads a time that is %s, %s in %s, as calendars do', (_why, text, timezone, expected) => {
  expect(new Date(readTime(text, timezone) ?? 0).toISOString()).toBe(expected)
})

test.each(['+275760-09-12T20:00', '-271821-04-20T04:00', '+275760-09-13T00:00', '275760-09-12 20:00'])(
  'reads or rejects a time at the limits of dates: %s',
  (text) => {
    for (const timezone of ['UTC', 'Asia/Tokyo', 'America/New_York'])
      expect(() => readTime(text, timezone)).not.toThrow()
  },
)

test.each([
  ['2026-02-30', undefined],
  ['2026-02-29T09:00', undefined],
  ['2026-04-31T09:00:00Z', undefined],
  ['2024-02-29T09:00', '2024-02-29T09:00:00.000Z'],
  ['2026-12-31T09:00', '2026-12-31T09:00:00.000Z'],
])('rejects a day that its month does not have: %s', (text, expected) => {
  const timeMs = readTime(text, 'UTC')
  expect(timeMs === undefined ? undefined : new Date(timeMs).toISOString()).toBe(expected)
})

test('reads every other time as the local time of its zone', () => {
  const zones = ['Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe', 'Africa/Casablanca', 'Asia/Kathmandu']
  fc.assert(
    fc.property(
      fc.constantFrom(...zones),
      fc.date({ noInvalidDate: true, min: new Date(0), max: new Date(4e12) }),
      (timezone, date) => {
        const clockOf = createZoneClock(timezone)
        const localMs = clockOf(date.getTime())
        const read = readTime(new Date(localMs).toISOString().slice(0, -1), timezone) ?? Number.NaN
        expect(clockOf(read)).toBe(localMs)
        expect(read).toBeLessThanOrEqual(date.getTime())
      },
    ),
  )
})

test('rejects text of any length that is not a time', () => {
  expect(readTime('soon', 'UTC')).toBeUndefined()
  // Text in parentheses is read as a comment.
  expect(readTime(`2026-01-01 00:00 (${':'.repeat(200_000)})`, 'UTC')).toBeUndefined()
})
