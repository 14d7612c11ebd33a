import { findPath, type JsonObject } from '@trestle/protocol'
import { addTime } from './add-time.ts'
import { toCronTime } from './cron-time.ts'
import { readTime } from './read-time.ts'

/** The inputs that determine the end of a wait. */
export interface WaitOptions {
  /** When the wait starts, milliseconds since 1970. */
  readonly fromMs: number
  /** The trigger's payload, which contains the end of a dynamic wait. */
  readonly payload: JsonObject
  /** The time zone of cron expressions and of times without a zone. */
  readonly timezone: string
}

/**
 * Returns when a wait ends.
 *
 * @param outputs - The output of the handler of a digest, delay or throttle.
 * @param options - The start of the wait, and the data that determines its end.
 * @returns Milliseconds since 1970, or why there is no such time.
 */
export function toWaitEnd(outputs: JsonObject, { fromMs, payload, timezone }: WaitOptions): number | string {
  const { cron, dynamicKey, amount, unit } = outputs
  if (typeof cron === 'string') return toCronTime(cron, fromMs, timezone)
  if (typeof dynamicKey === 'string') return toDynamicEnd(dynamicKey, { fromMs, payload, timezone })
  return addTime(fromMs, amount, unit) ?? describeLength(amount, unit)
}

function toDynamicEnd(key: string, { fromMs, payload, timezone }: WaitOptions): number | string {
  const path = key.replace(/^payload\./, '').split('.')
  const payloadValue = findPath(payload, path)
  const endMs = typeof payloadValue === 'string' ? readTime(payloadValue, timezone) : toTime(payloadValue, fromMs)
  if (endMs === undefined) return `the payload has no time at "${key}"`
  return endMs > fromMs ? endMs : `the time at "${key}" of the payload is not in the future`
}

function toTime(value: unknown, fromMs: number): number | undefined {
  return addTime(fromMs, findPath(value, ['amount']), findPath(value, ['unit']))
}

function describeLength(amount: unknown, unit: unknown): string {
  const missing = [...(amount === undefined ? ['amount'] : []), ...(unit === undefined ? ['unit'] : [])]
  if (missing.length > 0) return `${missing.join(' and ')} ${missing.length > 1 ? 'are' : 'is'} missing`
  return `${JSON.stringify(amount)} ${JSON.stringify(unit)} is not a duration`
}
