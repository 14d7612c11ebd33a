import { BridgeClientError } from '../failure/error.ts'
import { isRetriedCode } from '../failure/failure.ts'
import type { BridgeCall } from '../transport/bridge-call.ts'

const step: readonly number[] = Object.freeze([1000, 2000, 4000])
const once: readonly number[] = Object.freeze([1000])

/**
 * The delays before further attempts, by action, in milliseconds after the preceding failure. A sync uses the delays of
 * `discover`.
 *
 * @source service-api.md#reachability-errors
 */
export const retryDelaysMs: Readonly<Record<BridgeCall['action'], readonly number[]>> = Object.freeze({
  'health-check': once,
  discover: once,
  preview: once,
  execute: step,
  next: step,
  'agent-event': step,
})

/** Configures {@link retry}. */
export interface RetryOptions {
  /** The waits between the attempts. */
  readonly delaysMs: readonly number[]
  /** Waits; rejects when the signal aborts. */
  readonly sleep: (ms: number, signal: AbortSignal | undefined) => Promise<void>
  readonly signal: AbortSignal | undefined
  /** Receives every failed attempt, counted from 1; `waitMs` is absent if there is no further attempt. */
  readonly onFailure: (error: BridgeClientError, number: number, waitMs: number | undefined) => void
}

/**
 * Retries an attempt while it fails with a retryable code and the schedule has a delay left.
 *
 * @throws BridgeClientError - The last attempt's failure.
 * @source service-api.md#reachability-errors
 */
export async function retry<T>(attempt: () => Promise<T>, options: RetryOptions): Promise<T> {
  const { delaysMs, sleep, signal, onFailure } = options
  for (let number = 1; ; number++) {
    try {
      return await attempt()
    } catch (error) {
      signal?.throwIfAborted()
      if (!(error instanceof BridgeClientError)) throw error
      const waitMs = isRetriedCode(error.code) ? delaysMs[number - 1] : undefined
      onFailure(error, number, waitMs)
      if (waitMs === undefined) throw error
      await sleep(waitMs, signal)
    }
  }
}
