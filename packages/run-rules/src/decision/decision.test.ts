import type { JsonObject, StepReply, StepType } from '@trestle/protocol'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { addTime } from '../time/add-time.ts'
import { isTimezone, toCronTime } from '../time/cron-time.ts'
import { type Schedule, toScheduledTime } from '../time/schedule.ts'
import { toWaitEnd } from '../time/wait-end.ts'
import { resolvePreference } from './preference.ts'
import { settleReply } from './settlement.ts'
import { countRun } from './throttle.ts'

const at = (text: string): number => Date.parse(text)
const iso = (atMs: number | undefined | string): string =>
  typeof atMs === 'number' ? new Date(atMs).toISOString() : String(atMs)

describe('a duration', () => {
  test.each([
    ['2026-01-31T10:00:00Z', 1, 'months', '2026-02-28T10:00:00.000Z'],
    ['2024-01-31T10:00:00Z', 1, 'months', '2024-02-29T10:00:00.000Z'],
    ['2026-12-31T10:00:00Z', 2, 'months', '2027-02-28T10:00:00.000Z'],
    ['2026-01-01T00:00:00Z', 1.5, 'months', '2026-02-16T00:00:00.000Z'],
    ['2026-01-01T00:00:00Z', 2, 'weeks', '2026-01-15T00:00:00.000Z'],
    ['2026-01-01T00:00:00Z', 0, 'days', '2026-01-01T00:00:00.000Z'],
    ['2026-01-01T00:00:00Z', 0.0001, 'seconds', '2026-01-01T00:00:00.000Z'],
  ])('%s and %s %s is %s', (from, amount, unit, end) => {
    expect(iso(addTime(at(from), amount, unit))).toBe(end)
  })

  test.each([
    [-1, 'days'],
    [Number.NaN, 'days'],
    [1e300, 'days'],
    [1e300, 'months'],
    ['1', 'days'],
    [1, 'years'],
    [1, 'constructor'],
    [1, undefined],
  ])('%s %s is invalid', (amount, unit) => {
    expect(addTime(0, amount, unit)).toBeUndefined()
  })

  test('never ends before its start, and adding a month never skips the next one', () => {
    fc.assert(
      fc.property(
        fc.date({ noInvalidDate: true, min: new Date(0), max: new Date('2100-01-01') }),
        fc.nat(30),
        (from, amount) => {
          const end = new Date(addTime(from.getTime(), amount, 'months') ?? Number.NaN)
          const months = (date: Date) => date.getUTCFullYear() * 12 + date.getUTCMonth()
          expect(months(end) - months(from)).toBe(amount)
          expect(end.getUTCDate()).toBeLessThanOrEqual(from.getUTCDate())
        },
      ),
    )
  })
})

describe('a wait', () => {
  const options = {
    fromMs: at('2026-03-28T20:00:00Z'),
    payload: { at: '2026-04-01T00:00:00Z', in: { amount: 1, unit: 'days' }, bad: 7 },
    timezone: 'UTC',
  }

  test.each([
    [{ cron: '0 9 * * *' }, 'UTC', '2026-03-29T09:00:00.000Z'],
    // Berlin switches to daylight saving time that night.
    [{ cron: '0 9 * * *' }, 'Europe/Berlin', '2026-03-29T07:00:00.000Z'],
    [{ cron: '30 2 * * *' }, 'Asia/Kolkata', '2026-03-28T21:00:00.000Z'],
    // With a leading seconds field.
    [{ cron: '* * * * * *' }, 'UTC', '2026-03-28T20:00:01.000Z'],
    [{ cron: '15,45 */30 2 * * *' }, 'Asia/Kolkata', '2026-03-28T20:30:15.000Z'],
    [{ cron: '30 0 9 * * *' }, 'Europe/Berlin', '2026-03-29T07:00:30.000Z'],
    // If both day fields are restricted, either one matches.
    [{ cron: '0 0 13 * 5' }, 'UTC', '2026-04-03T00:00:00.000Z'],
    [{ dynamicKey: 'payload.at' }, 'UTC', '2026-04-01T00:00:00.000Z'],
    [{ dynamicKey: 'in' }, 'UTC', '2026-03-29T20:00:00.000Z'],
    [{ amount: 90, unit: 'minutes' }, 'UTC', '2026-03-28T21:30:00.000Z'],
  ])('of %j in %s ends at %s', (outputs, timezone, end) => {
    expect(iso(toWaitEnd(outputs, { ...options, timezone }))).toBe(end)
  })

  test.each([
    [{ cron: '0 0 30 2 *' }, 'never matches a time'],
    [{ cron: 'soon' }, '"soon" is not a cron expression with five fields, or six starting with seconds'],
    [{ cron: '* * * * * * *' }, 'is not a cron expression'],
    [{ cron: '0 0 0 30 2 *' }, 'never matches a time'],
    [{ cron: '60 * * * * *' }, 'is not a cron expression'],
    [{ dynamicKey: 'payload.bad' }, 'has no time'],
    [{ dynamicKey: 'payload.none.of.this' }, 'has no time'],
    [{ dynamicKey: '__proto__' }, 'has no time'],
    [{ amount: 1, unit: 'fortnights' }, 'is not a duration'],
    [{}, 'amount and unit are missing'],
    [{ amount: 1 }, 'unit is missing'],
  ])('of %j has no end', (outputs, reason) => {
    expect(toWaitEnd(outputs, options)).toContain(reason)
  })

  // Berlin switches to daylight saving time on 29 March at 2:00, and back on 25 October at 3:00.
  test.each([
    ['2026-04-01T09:00', 'UTC', '2026-04-01T09:00:00.000Z'],
    ['2026-04-01T09:00:30.5', 'Europe/Berlin', '2026-04-01T07:00:30.500Z'],
    ['2026-04-01 09:00', 'Asia/Kolkata', '2026-04-01T03:30:00.000Z'],
    ['2026-03-29T02:30', 'Europe/Berlin', '2026-03-29T01:30:00.000Z'],
    ['2026-10-25T03:00', 'Europe/Berlin', '2026-10-25T02:00:00.000Z'],
    ['2028-02-29T00:00', 'Pacific/Auckland', '2028-02-28T11:00:00.000Z'],
    ['April 1, 2026 09:00', 'America/New_York', '2026-04-01T13:00:00.000Z'],
    ['2026-04-01T09:00Z', 'Asia/Kolkata', '2026-04-01T09:00:00.000Z'],
    ['2026-04-01T09:00+02:00', 'Asia/Kolkata', '2026-04-01T07:00:00.000Z'],
    ['Wed, 01 Apr 2026 09:00:00 GMT', 'Asia/Kolkata', '2026-04-01T09:00:00.000Z'],
    ['Wed Apr 01 2026 09:00:00 GMT+0200 (CEST)', 'Asia/Kolkata', '2026-04-01T07:00:00.000Z'],
    ['04-01-2026 09:00', 'Asia/Kolkata', '2026-04-01T03:30:00.000Z'],
    ['04-01-2026', 'Asia/Kolkata', '2026-03-31T18:30:00.000Z'],
    ['April 1, 2026 09:00 PM PDT', 'Asia/Kolkata', '2026-04-02T04:00:00.000Z'],
    ['2026-04-01', 'Asia/Kolkata', '2026-04-01T00:00:00.000Z'],
  ])('until %s in %s ends at %s, regardless of the machine’s time zone', (due, timezone, end) => {
    const own = process.env['TZ']
    try {
      for (const machine of ['UTC', 'America/Los_Angeles', 'Asia/Tokyo']) {
        process.env['TZ'] = machine
        expect(iso(toWaitEnd({ dynamicKey: 'due' }, { ...options, payload: { due }, timezone }))).toBe(end)
      }
    } finally {
      if (own === undefined) delete process.env['TZ']
      else process.env['TZ'] = own
    }
  })

  test('validates time zones', () => {
    expect(['UTC', 'Europe/Berlin'].map(isTimezone)).toEqual([true, true])
    expect(['', 'Mars/Olympus'].map(isTimezone)).toEqual([false, false])
    expect(toCronTime('0 9 * * *', 0, 'Mars/Olympus')).toBe('"Mars/Olympus" is not a time zone')
  })
})

describe('a message', () => {
  const settle = (type: StepType, outputs: JsonObject) => {
    const reply = { outputs, providers: {}, options: { skip: false }, metadata: {} } as unknown as StepReply
    const context = { type, nowMs: 0, payload: {}, overrides: {}, timezone: null, schedule: undefined, critical: false }
    return settleReply(reply, { ...context, preferences: {} })
  }

  test.each<[StepType, JsonObject, string]>([
    ['in_app', { body: { a: 1 } }, 'its "body" is an object, not a string'],
    ['in_app', { body: 'b', redirect: '/x' }, 'its "redirect" is a text, not an object'],
    ['in_app', { body: 'b', data: [1] }, 'its "data" is a list, not an object'],
    ['email', { subject: 5, body: 'b' }, 'its "subject" is the number 5, not a string'],
    ['email', { subject: 's', body: ['b'] }, 'its "body" is a list, not a string'],
    ['email', { subject: 's', body: 'b', from: 'a@b.co' }, 'its "from" is a text, not an object'],
    ['sms', { body: true }, 'its "body" is the boolean true, not a string'],
    ['push', { subject: {}, body: 'b' }, 'its "subject" is an object, not a string'],
    ['chat', { body: 'b', card: 'c' }, 'its "card" is a text, not an object'],
    ['tool', { body: 7 }, 'its "body" is the number 7, not a string'],
  ])('of type %s with %j is not sent', (type, outputs, reason) => {
    expect(settle(type, outputs)).toEqual({ kind: 'unsendable', reason })
  })

  test.each<[StepType, JsonObject]>([
    ['in_app', { body: 'b', avatar: null, data: {} }],
    ['chat', { card: { type: 'card' } }],
    ['sms', { body: 'b', subject: 7 }],
    ['email', { subject: 's', body: '', from: { email: 'a@b.co' } }],
    ['custom', { body: 7 }],
  ])('of type %s with %j is sent', (type, outputs) => {
    expect(settle(type, outputs).kind).toBe(type === 'custom' ? 'stored' : 'delivered')
  })
})

describe('a schedule', () => {
  const office: Schedule = {
    isEnabled: true,
    weeklySchedule: {
      monday: {
        isEnabled: true,
        hours: [
          { start: '09:00 AM', end: '12:00 PM' },
          { start: '13:00', end: '17:30' },
        ],
      },
      friday: { isEnabled: true, hours: [{ start: '22:00', end: '02:00' }] },
      sunday: { isEnabled: true },
      tuesday: { isEnabled: false, hours: [{ start: '00:00', end: '24:00' }] },
    },
  }

  // 2026-01-05 is a Monday.
  test.each([
    ['2026-01-05T09:00:00Z', 'UTC', '2026-01-05T09:00:00.000Z'],
    ['2026-01-05T11:59:59Z', 'UTC', '2026-01-05T11:59:59.000Z'],
    ['2026-01-05T12:00:00Z', 'UTC', '2026-01-05T13:00:00.000Z'],
    ['2026-01-05T12:30:30Z', 'UTC', '2026-01-05T13:00:00.000Z'],
    ['2026-01-05T17:30:00Z', 'UTC', '2026-01-09T22:00:00.000Z'],
    ['2026-01-10T01:59:00Z', 'UTC', '2026-01-10T01:59:00.000Z'],
    ['2026-01-10T02:00:00Z', 'UTC', '2026-01-11T00:00:00.000Z'],
    ['2026-01-11T15:00:00Z', 'UTC', '2026-01-11T15:00:00.000Z'],
    ['2026-01-05T07:00:00Z', 'Europe/Berlin', '2026-01-05T08:00:00.000Z'],
    ['2026-01-05T03:00:00Z', 'Asia/Kolkata', '2026-01-05T03:30:00.000Z'],
  ])('moves %s in %s to %s', (from, timezone, end) => {
    expect(iso(toScheduledTime(office, at(from), timezone))).toBe(end)
  })

  test.each([
    [undefined],
    [{ ...office, isEnabled: false }],
    [{ isEnabled: true }],
    [{ isEnabled: true, weeklySchedule: {} }],
    [{ isEnabled: true, weeklySchedule: { monday: { isEnabled: true, hours: [{ start: 'nine', end: 'five' }] } } }],
  ])('of %j has no effect', (schedule) => {
    expect(toScheduledTime(schedule, 1234, 'UTC')).toBe(1234)
  })

  test.each([0, 1, 1440, 10_080, 21_600])('accepts a time %i minutes before the latest date', (minutes) => {
    const latestMs = 8_640_000_000_000_000
    const scheduledMs = toScheduledTime(office, latestMs - minutes * 60_000, 'Pacific/Auckland')
    expect(scheduledMs).toBeGreaterThanOrEqual(latestMs - minutes * 60_000)
    expect(scheduledMs).toBeLessThanOrEqual(latestMs)
  })

  test('moves every time to the first open minute, as a search minute by minute would', () => {
    // Minutes since Monday 0:00, calculated by hand.
    const hours = [
      [540, 720],
      [780, 1050],
      [4 * 1440 + 1320, 5 * 1440 + 120],
      [6 * 1440, 7 * 1440],
    ] as const
    const mondayMs = at('2026-01-05T00:00:00Z')
    const isOpen = (minute: number) => hours.some(([from, to]) => from <= minute % 10_080 && minute % 10_080 < to)
    fc.assert(
      fc.property(fc.nat(10_080), (minute) => {
        let openMinute = minute
        while (!isOpen(openMinute)) openMinute++
        expect(toScheduledTime(office, mondayMs + minute * 60_000, 'UTC')).toBe(mondayMs + openMinute * 60_000)
      }),
    )
  })

  test.each([
    // On 29 March 2026, 2:30 does not exist in Berlin; on 25 October it occurs twice.
    ['2026-03-28T23:30:00Z', '02:30', '2026-03-29T01:00:00.000Z'],
    ['2026-10-24T22:30:00Z', '02:30', '2026-10-25T00:30:00.000Z'],
    ['2026-10-24T22:30:00Z', '04:00', '2026-10-25T03:00:00.000Z'],
    ['2026-03-28T23:30:00Z', '04:00', '2026-03-29T02:00:00.000Z'],
  ])('uses the local clock: %s to %s', (from, start, end) => {
    const sunday = {
      isEnabled: true,
      weeklySchedule: { sunday: { isEnabled: true, hours: [{ start, end: '12:00' }] } },
    }
    expect(iso(toScheduledTime(sunday, at(from), 'Europe/Berlin'))).toBe(end)
  })

  test('waits for the next week if the clocks are set forward over the range', () => {
    const hours = [{ start: '02:30', end: '02:45' }]
    const night = { isEnabled: true, weeklySchedule: { sunday: { isEnabled: true, hours } } }
    expect(iso(toScheduledTime(night, at('2026-03-23T12:00:00Z'), 'Europe/Berlin'))).toBe('2026-04-05T00:30:00.000Z')
  })
})

describe('preferences', () => {
  const off = { all: { enabled: false } }
  const on = { all: { enabled: true } }

  test.each([
    [{}, true, 'default'],
    [{ workflow: off }, false, 'workflow'],
    [{ workflow: off, stored: on }, true, 'stored'],
    [{ workflow: { channels: { email: { enabled: false } } } }, false, 'workflow'],
    [{ workflow: { all: { enabled: false }, channels: { email: { enabled: true } } } }, true, 'workflow'],
    [{ workflow: { channels: { sms: { enabled: false } } } }, true, 'default'],
    [{ workflow: on, subscriber: off }, false, 'subscriber'],
    [{ subscriber: off, subscriberWorkflow: { channels: { email: { enabled: true } } } }, true, 'subscriberWorkflow'],
    [{ workflow: { all: { readOnly: true } }, subscriber: off, subscriberWorkflow: off }, true, 'default'],
    [{ workflow: { all: { readOnly: true, enabled: false } }, subscriber: on }, false, 'workflow'],
    [
      { workflow: { all: { readOnly: true } }, stored: { all: { readOnly: false } }, subscriber: off },
      false,
      'subscriber',
    ],
    [{ workflow: on, tenant: { channels: { email: { enabled: false } } } }, false, 'tenant'],
  ] as const)('of %j', (sources, enabled, source) => {
    expect(resolvePreference(sources, 'email')).toEqual({ enabled, source })
  })

  test('ignore inherited names', () => {
    expect(resolvePreference({ workflow: { channels: {} } }, 'constructor').source).toBe('default')
  })
})

describe('a settled step', () => {
  const metadata = { status: 'success', error: false, duration: 0 } as const
  const reply = (outputs: object, skip = false) => ({
    outputs: { ...outputs },
    providers: {},
    options: { skip },
    metadata,
  })
  const context = {
    nowMs: 0,
    payload: {},
    overrides: {},
    timezone: null,
    schedule: undefined,
    preferences: {},
    critical: false,
  }

  test('that is critical ignores preferences', () => {
    const preferences = { subscriber: { all: { enabled: false } } }
    const settle = (critical: boolean) => settleReply(reply({}), { ...context, type: 'email', preferences, critical })
    expect(settle(false)).toEqual({ kind: 'filtered', source: 'subscriber' })
    expect(settle(true)).toEqual({ kind: 'delivered' })
  })

  test('that is a delay uses the duration from the overrides if the code sets a duration', () => {
    const overrides = { delay: { amount: 2, unit: 'seconds' } }
    const settle = (outputs: object, type: 'delay' | 'digest') =>
      settleReply(reply(outputs), { ...context, type, overrides })
    const wait = (endMs: number) => ({ endMs, extended: false, timezoneInvalid: false })
    expect(settle({ amount: 1, unit: 'hours' }, 'delay')).toEqual({ kind: 'delay', wait: wait(2000) })
    expect(settle({ amount: 1, unit: 'hours' }, 'digest')).toEqual({ kind: 'digest', wait: wait(3_600_000) })
    expect(settle({ cron: '1 0 * * *' }, 'delay')).toEqual({ kind: 'delay', wait: wait(60_000) })
  })

  test('reports an unknown time zone, and uses UTC', () => {
    const settled = settleReply(reply({ cron: '1 0 * * *' }), { ...context, type: 'delay', timezone: 'Mars/Olympus' })
    expect(settled).toEqual({ kind: 'delay', wait: { endMs: 60_000, extended: false, timezoneInvalid: true } })
  })

  test('is moved into the schedule only if its output requests it', () => {
    const schedule = { isEnabled: true, weeklySchedule: { friday: { isEnabled: true } } }
    const settle = (extendToSchedule: boolean) =>
      settleReply(reply({ amount: 1, unit: 'hours', extendToSchedule }), { ...context, type: 'digest', schedule })
    expect(settle(false)).toMatchObject({ wait: { endMs: 3_600_000, extended: false } })
    // January 1, 1970 was a Thursday.
    expect(settle(true)).toMatchObject({ wait: { endMs: 86_400_000, extended: true } })
  })

  test('that is a throttle without a window is not applied', () => {
    expect(settleReply(reply({ type: 'fixed' }), { ...context, type: 'throttle' })).toEqual({ kind: 'unthrottled' })
  })
})

test('a throttle window also counts throttled runs', () => {
  const times = { nowMs: 10, endMs: 100 }
  const first = countRun(undefined, { threshold: 1 }, times)
  const second = countRun(first.window, { threshold: 1 }, { nowMs: 50, endMs: 150 })
  expect([first.throttled, second.throttled]).toEqual([false, true])
  expect(second.result).toMatchObject({ executionCount: 2, throttledUntil: new Date(100).toISOString() })
  expect(countRun(second.window, { threshold: 1 }, { nowMs: 100, endMs: 200 }).throttled).toBe(false)
})
