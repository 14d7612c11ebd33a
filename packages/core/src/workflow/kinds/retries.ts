import { isObject, type RetryData } from '@trestle/protocol'
import type { OptionRule } from '../../base/check-options.ts'

/** How long a service waits before it retries a failed step. */
export interface Backoff {
  /** The delay before the first retry, in `unit`s; not negative. */
  readonly amount: number
  /** The unit of `amount`. */
  readonly unit: 'seconds' | 'minutes' | 'hours'
  /** Multiplies the delay before each further retry: 1 to 10. @default 2 */
  readonly factor?: number | undefined
}

/** How a service retries a failed step. */
export interface RetryOptions {
  /**
   * The maximum number of retries of a failed step: 0 to 20. A step fails if its handler, `skip` or an override throws,
   * or exceeds the deadline. @default 0
   */
  readonly retries?: number | undefined
  /** The delay before each retry, at most a day. @default 10 seconds, doubled with each retry */
  readonly backoff?: Backoff | undefined
}

const unitMs: Readonly<Record<string, number>> = { seconds: 1000, minutes: 60_000, hours: 3_600_000 }
const usualBackoff: Backoff = { amount: 10, unit: 'seconds' }
const maxRetries = 20
const maxFactor = 10
const backoffFields: readonly string[] = ['amount', 'unit', 'factor'] satisfies (keyof Backoff)[]

const isWithin = (value: unknown, least: number, most: number): boolean =>
  typeof value === 'number' && value >= least && value <= most

/** The validation rules of {@link RetryOptions}. */
export const retryRules: Readonly<Record<keyof RetryOptions, OptionRule>> = {
  retries: {
    fits: (value) => Number.isInteger(value) && isWithin(value, 0, maxRetries),
    form: `a whole number from 0 to ${maxRetries}`,
  },
  backoff: {
    fits: isBackoff,
    form: `an object with amount, unit (${Object.keys(unitMs).join(', ')}) and optional factor (1 to ${maxFactor})`,
  },
}

function isBackoff(value: unknown): boolean {
  if (!isObject(value) || !Object.keys(value).every((name) => backoffFields.includes(name))) return false
  const { amount, unit, factor } = value
  return (
    isWithin(amount, 0, Number.MAX_SAFE_INTEGER) &&
    typeof unit === 'string' &&
    Object.hasOwn(unitMs, unit) &&
    (factor === undefined || isWithin(factor, 1, maxFactor))
  )
}

/**
 * Returns the retry settings to include in a step's failure; nothing if there are no retries.
 *
 * @param step - The options of the failed step.
 * @param workflow - The options of its workflow, used as defaults.
 */
export function toRetryData(step: RetryOptions, workflow: RetryOptions): Partial<RetryData> {
  const retries = step.retries ?? workflow.retries ?? 0
  const { amount, unit, factor = 2 } = step.backoff ?? workflow.backoff ?? usualBackoff
  return retries === 0 ? {} : { retries, backoffMs: amount * (unitMs[unit] ?? 0), backoffFactor: factor }
}
