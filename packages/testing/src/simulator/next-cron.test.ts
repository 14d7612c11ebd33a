import { Cron } from 'croner'
import { expect, test } from 'vitest'
import { nextCronMs } from './next-cron.ts'

const expressions = [
  '* * * * *',
  '*/15 * * * *',
  '0 9 * * 1-5',
  '30 8,17 1 * *',
  '0 0 29 2 *',
  '5 4 * jan,JUL sun',
  '0 12 13 * 5',
  '0-10/5 */6 * * 0,6',
  '59 23 31 * *',
  '0 0 * * 7',
]
const times = ['2026-01-01T00:00:00Z', '2026-02-28T23:59:59.999Z', '2027-12-31T23:59:00Z', '2026-06-15T08:30:00Z']

test.each(expressions.flatMap((expression) => times.map((time) => [expression, time] as const)))(
  '%s after %s, as another implementation has it',
  (expression, time) => {
    const other = new Cron(expression, { timezone: 'UTC' }).nextRun(new Date(time))
    expect(new Date(nextCronMs(expression, Date.parse(time)) ?? 0).toISOString()).toBe(other?.toISOString())
  },
)

test('a day that never comes', () => {
  expect(nextCronMs('0 0 31 2 *', 0)).toBeUndefined()
})
