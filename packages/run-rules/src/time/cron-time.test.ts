import fc from 'fast-check'
import { afterEach, expect, test, vi } from 'vitest'
import { toCronTime } from './cron-time.ts'

const nextCronMs = (expression: string, fromMs: number): number => Number(toCronTime(expression, fromMs, 'UTC'))

const times = ['2026-01-01T00:00:00Z', '2026-02-28T23:59:59.999Z', '2027-12-31T23:59:00Z', '2026-06-15T08:30:00Z']

// Checked with a calendar and two other implementations.
test.each([
  ['* * * * *', ['2026-01-01T00:01', '2026-03-01T00:00', '2028-01-01T00:00', '2026-06-15T08:31']],
  ['*/15 * * * *', ['2026-01-01T00:15', '2026-03-01T00:00', '2028-01-01T00:00', '2026-06-15T08:45']],
  ['0 9 * * 1-5', ['2026-01-01T09:00', '2026-03-02T09:00', '2028-01-03T09:00', '2026-06-15T09:00']],
  ['30 8,17 1 * *', ['2026-01-01T08:30', '2026-03-01T08:30', '2028-01-01T08:30', '2026-07-01T08:30']],
  ['0 0 29 2 *', ['2028-02-29T00:00', '2028-02-29T00:00', '2028-02-29T00:00', '2028-02-29T00:00']],
  ['5 4 * jan,JUL sun', ['2026-01-04T04:05', '2026-07-05T04:05', '2028-01-02T04:05', '2026-07-05T04:05']],
  ['0 12 13 * 5', ['2026-01-02T12:00', '2026-03-06T12:00', '2028-01-07T12:00', '2026-06-19T12:00']],
  ['0-10/5 */6 * * 0,6', ['2026-01-03T00:00', '2026-03-01T00:00', '2028-01-01T00:00', '2026-06-20T00:00']],
  ['59 23 31 * *', ['2026-01-31T23:59', '2026-03-31T23:59', '2028-01-31T23:59', '2026-07-31T23:59']],
  ['0 0 * * 7', ['2026-01-04T00:00', '2026-03-01T00:00', '2028-01-02T00:00', '2026-06-21T00:00']],
])('%s', (expression, expected) => {
  const nextTimes = times.map((time) => new Date(nextCronMs(expression, Date.parse(time))).toISOString())
  expect(nextTimes).toEqual(expected.map((time) => `${time}:00.000Z`))
})

afterEach(() => vi.unstubAllEnvs())

test.each(['America/New_York', 'Asia/Kolkata', 'UTC'])(
  'evaluates expressions in the given time zone, even on a machine in %s',
  (zone) => {
    vi.stubEnv('TZ', zone)
    expect(nextCronMs('0 9 * * *', Date.UTC(2026, 6, 1))).toBe(Date.UTC(2026, 6, 1, 9))
  },
)

test('accepts six fields starting with seconds', () => {
  const fromMs = Date.UTC(2026, 0, 1, 8, 59, 59, 500)
  expect(nextCronMs('* * * * * *', fromMs)).toBe(Date.UTC(2026, 0, 1, 9))
  expect(nextCronMs('30 0 9 * * 1-5', fromMs)).toBe(Date.UTC(2026, 0, 1, 9, 0, 30))
})

test('returns a whole minute after the given time for any cron field', () => {
  const field = (least: number, most: number): fc.Arbitrary<string> => {
    const number = fc.integer({ min: least, max: most })
    const range = fc.tuple(number, number).map(([one, two]) => `${Math.min(one, two)}-${Math.max(one, two)}`)
    const step = fc.integer({ min: 1, max: Math.max(1, most) })
    const item = fc.oneof(
      fc.constant('*'),
      number.map(String),
      range,
      fc.tuple(fc.oneof(fc.constant('*'), range), step).map(([items, by]) => `${items}/${by}`),
    )
    return fc.array(item, { minLength: 1, maxLength: 3 }).map((items) => items.join(','))
  }
  // A day in the first four weeks, so that the expression matches.
  const expression = fc.tuple(field(0, 59), field(0, 23), field(1, 28), field(1, 12), field(0, 7))
  const afterMs = fc.integer({ min: 0, max: Date.UTC(2100) })
  fc.assert(
    fc.property(expression, afterMs, (fields, fromMs) => {
      const nextMs = nextCronMs(fields.join(' '), fromMs)
      expect(nextMs).toBeGreaterThan(fromMs)
      expect(nextMs % 60_000).toBe(0)
    }),
    { numRuns: 500 },
  )
})
