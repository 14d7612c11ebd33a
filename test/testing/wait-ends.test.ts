import type { JsonObject } from '@trestle/protocol'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { toWaitEnd as toEndOfService } from '../../packages/service/src/engine/timing/wait-end.ts'
import { toWaitEnd } from '../../packages/testing/src/simulator/timing/wait-end.ts'
import { draws } from '../scope.ts'

const units = ['seconds', 'minutes', 'hours', 'days', 'weeks', 'months'] as const
const anyMoment = fc.date({ min: new Date('2000-01-01'), max: new Date('2040-01-01'), noInvalidDate: true })
const anyAmount = fc.oneof(fc.nat(40), fc.double({ min: -1, max: 50 }), fc.constantFrom(1e9, 1e300))
const anyLength = fc.record({ amount: anyAmount, unit: fc.constantFrom(...units, 'years', 'constructor', '') })
const zones = ['', 'Z', ' Z', '+02:00', ' +0530', '-08:00', ' GMT', ' UTC', ' EST', ' (in summer)']
const shapes: readonly ((date: Date) => string)[] = [
  (date) => date.toISOString(),
  (date) => date.toISOString().slice(0, 10),
  (date) => date.toISOString().slice(0, 16),
  (date) => date.toISOString().slice(0, 16).replace('T', ' '),
  (date) => date.toUTCString(),
  (date) => date.toUTCString().slice(5, 22),
  (date) => date.toLocaleString('en-US', { timeZone: 'UTC' }),
  (date) => String(date),
]
const anyTime = fc
  .tuple(anyMoment, fc.constantFrom(...shapes), fc.constantFrom(...zones))
  .map(([date, shape, zone]) => `${shape(date)}${zone}`)
const anyCron = fc
  .tuple(fc.constantFrom('0', '*/7', '59'), fc.constantFrom('*', '2', '2,3', '8-17'), fc.constantFrom('*', '29', '31'))
  .chain(([minute, hour, day]) =>
    fc
      .constantFrom('2', '*', '4,6')
      .chain((month) =>
        fc.constantFrom('*', '1-5', '0').map((weekday) => `${minute} ${hour} ${day} ${month} ${weekday}`),
      ),
  )
const anyKey = fc.constantFrom('payload.at', 'at', 'in.0.at', 'in.length', 'none', 'at.constructor', '__proto__.at')
const anyWait = fc.oneof(
  anyLength.filter(({ unit, amount }) => units.some((one) => one === unit) && amount >= 0),
  anyCron.map((cron) => ({ cron })),
  anyKey.map((dynamicKey) => ({ dynamicKey })),
)
const anyEnd = fc.oneof(anyTime, anyLength, fc.string(), fc.jsonValue())

test('a wait ends in the kit when it ends in a service whose recipient lives in UTC', () => {
  fc.assert(
    fc.property(anyWait, anyMoment, anyEnd, (wait, from, at) => {
      const payload = { at, in: [{ at }] } as JsonObject
      const options = { fromMs: from.getTime(), payload, timezone: 'UTC' }
      const here = toWaitEnd(wait as JsonObject, options.fromMs, payload)
      const there = toEndOfService(wait as JsonObject, options)
      // That there is no such time is said in the words of either.
      expect(typeof here).toBe(typeof there)
      if (typeof there === 'number') expect(here).toBe(there)
    }),
    { numRuns: draws(500, 20_000) },
  )
})
