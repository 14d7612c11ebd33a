import type { RetryData } from '@trestle/protocol'

/** The maximum number of retries of a step. */
const maxRetries = 20
const maxWaitMs = 86_400_000

/**
 * Returns how long a service waits before it retries a failed step.
 *
 * @param data - The data of the failure, as returned by the bridge.
 * @param attempts - The number of retries so far.
 * @returns Milliseconds; `undefined` if there is no further retry.
 * @example
 * toRetryWait({ retries: 3, backoffMs: 1000, backoffFactor: 2 }, 1) // 2000
 */
export function toRetryWait(data: unknown, attempts: number): number | undefined {
  if (typeof data !== 'object' || data === null || !Object.hasOwn(data, 'retries')) return undefined
  const { retries, backoffMs = 0, backoffFactor = 1 } = data as Partial<Record<keyof RetryData, unknown>>
  const isCount = typeof retries === 'number' && Number.isInteger(retries)
  if (!isCount || attempts >= Math.min(retries, maxRetries)) return undefined
  const waitMs = toNumber(backoffMs, 0) * toNumber(backoffFactor, 1) ** attempts
  return Math.round(Math.min(waitMs, maxWaitMs))
}

function toNumber(value: unknown, least: number): number {
  return typeof value === 'number' && value >= least && value <= Number.MAX_SAFE_INTEGER ? value : least
}
