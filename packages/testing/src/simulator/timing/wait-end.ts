import type { JsonObject } from '@trestle/protocol'
import { nextCronMs } from './next-cron.ts'
import { readTime } from './read-time.ts'

const unitMs: Readonly<Record<string, number>> = {
  seconds: 1000,
  minutes: 60_000,
  hours: 3_600_000,
  days: 86_400_000,
  weeks: 604_800_000,
}

// What a date can hold.
const maxMs = 8.64e15

/**
 * Returns when a wait ends.
 *
 * @param outputs - What the handler of a digest, delay or throttle returned.
 * @param fromMs - When the wait begins, milliseconds since 1970.
 * @param payload - The trigger's payload, where a dynamic wait looks for its end.
 * @returns Milliseconds since 1970, or why there is no such time.
 */
export function toWaitEnd(outputs: JsonObject, fromMs: number, payload: JsonObject): number | string {
  const { cron, dynamicKey, amount, unit } = outputs
  if (typeof cron === 'string') return nextCronMs(cron, fromMs) ?? `the cron expression "${cron}" is never met`
  if (typeof dynamicKey === 'string') return toDynamicEnd(dynamicKey, fromMs, payload)
  const endMs = addUnits(fromMs, Number(amount), String(unit))
  return endMs ?? `${String(amount)} ${String(unit)} end after the last date there is`
}

/**
 * Adds a length of time. A month is a calendar month, and never leads past its last day.
 *
 * @param fromMs - Milliseconds since 1970.
 * @param amount - How many units.
 * @param unit - `seconds`, `minutes`, `hours`, `days`, `weeks` or `months`.
 * @returns Whole milliseconds since 1970; `undefined` where the unit is unknown, the amount is below 0, or no date is that
 *   late.
 */
export function addUnits(fromMs: number, amount: number, unit: string): number | undefined {
  const length = Object.hasOwn(unitMs, unit) ? unitMs[unit] : undefined
  const endMs = unit === 'months' ? addMonths(fromMs, amount) : fromMs + amount * (length ?? Number.NaN)
  return amount >= 0 && endMs <= maxMs ? Math.round(endMs) : undefined
}

function addMonths(fromMs: number, amount: number): number {
  const months = Math.trunc(amount)
  const at = new Date(fromMs)
  const day = at.getUTCDate()
  at.setUTCDate(1)
  at.setUTCMonth(at.getUTCMonth() + months)
  const lastDay = new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + 1, 0)).getUTCDate()
  at.setUTCDate(Math.min(day, lastDay))
  return at.getTime() + (amount - months) * 30 * (unitMs['days'] ?? 0)
}

function toDynamicEnd(key: string, fromMs: number, payload: JsonObject): number | string {
  const path = key.replace(/^payload\./, '').split('.')
  const found = path.reduce<unknown>(
    (value, name) =>
      typeof value === 'object' && value !== null && Object.hasOwn(value, name) ? Reflect.get(value, name) : undefined,
    payload,
  )
  const endMs = toTime(found, fromMs)
  if (endMs === undefined) return `the payload holds no time at "${key}"`
  return endMs > fromMs ? endMs : `the time at "${key}" of the payload is not in the future`
}

function toTime(value: unknown, fromMs: number): number | undefined {
  if (typeof value === 'string') return readTime(value)
  const { amount, unit } = (value ?? {}) as { readonly amount?: unknown; readonly unit?: unknown }
  return typeof amount === 'number' && typeof unit === 'string' ? addUnits(fromMs, amount, unit) : undefined
}
