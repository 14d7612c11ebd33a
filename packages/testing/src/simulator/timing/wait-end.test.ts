import { expect, test } from 'vitest'
import { toWaitEnd } from './wait-end.ts'

const fromMs = Date.parse('2026-01-31T10:00:00Z')
const payload = {
  due: '2026-02-01T00:00:00Z',
  past: '2020-01-01',
  in: { a: { amount: 2, unit: 'weeks' } },
  text: 'soon',
  noDay: '2026-02-30T09:00',
}

test.each([
  [{ amount: 30, unit: 'seconds' }, '2026-01-31T10:00:30.000Z'],
  [{ amount: 1.5, unit: 'minutes' }, '2026-01-31T10:01:30.000Z'],
  [{ amount: 3, unit: 'hours' }, '2026-01-31T13:00:00.000Z'],
  [{ amount: 7, unit: 'days' }, '2026-02-07T10:00:00.000Z'],
  [{ amount: 2, unit: 'weeks' }, '2026-02-14T10:00:00.000Z'],
  [{ amount: 1, unit: 'months' }, '2026-02-28T10:00:00.000Z'],
  [{ amount: 13, unit: 'months' }, '2027-02-28T10:00:00.000Z'],
  [{ cron: '0 9 * * 1' }, '2026-02-02T09:00:00.000Z'],
  [{ type: 'dynamic', dynamicKey: 'payload.due' }, '2026-02-01T00:00:00.000Z'],
  [{ type: 'dynamic', dynamicKey: 'in.a' }, '2026-02-14T10:00:00.000Z'],
])('%o ends at %s', (outputs, end) => {
  expect(new Date(toWaitEnd(outputs, fromMs, payload)).toISOString()).toBe(end)
})

test.each([
  [{ dynamicKey: 'payload.past' }, 'the time at "payload.past" of the payload is not in the future'],
  [{ dynamicKey: 'payload.text' }, 'the payload holds no time at "payload.text"'],
  [{ dynamicKey: 'payload.noDay' }, 'the payload holds no time at "payload.noDay"'],
  [{ dynamicKey: 'payload.none.at' }, 'the payload holds no time at "payload.none.at"'],
  [{ cron: '0 0 31 2 *' }, 'the cron expression "0 0 31 2 *" is never met'],
])('%o has no end', (outputs, why) => {
  expect(toWaitEnd(outputs, fromMs, payload)).toBe(why)
})

test.each([
  ['2026-04-01T09:00', '2026-04-01T09:00:00.000Z'],
  ['2026-04-01', '2026-04-01T00:00:00.000Z'],
  ['04-01-2026 09:00', '2026-04-01T09:00:00.000Z'],
  ['April 1, 2026 09:00 PM PDT', '2026-04-02T04:00:00.000Z'],
  ['Wed Apr 01 2026 09:00:00 GMT+0200 (CEST)', '2026-04-01T07:00:00.000Z'],
  ['2026-04-01T09:00:00.5-03:30', '2026-04-01T12:30:00.500Z'],
])('the time %s is %s, in whatever zone the machine is', (due, end) => {
  const own = process.env['TZ']
  try {
    for (const machine of ['UTC', 'America/Los_Angeles', 'Asia/Tokyo']) {
      process.env['TZ'] = machine
      expect(new Date(toWaitEnd({ dynamicKey: 'due' }, fromMs, { due })).toISOString()).toBe(end)
    }
  } finally {
    if (own === undefined) delete process.env['TZ']
    else process.env['TZ'] = own
  }
})
