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

/** The delays while the bridge reports that it continues to discover its workflows. */
const discoveryDelaysMs: readonly number[] = Object.freeze([1000, 1000, 1000])

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
 * Retries an attempt while it fails with a retryable code, or the bridge continues to discover its workflows, and the
 * schedule has a delay left.
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
      const delays = isRetriedCode(error.code) ? delaysMs : continuesDiscovery(error) ? discoveryDelaysMs : []
      const waitMs = delays[number - 1]
      onFailure(error, number, waitMs)
      if (waitMs === undefined) throw error
      await sleep(waitMs, signal)
    }
  }
}

/**
 * Returns whether a failed `discover` only ran out of time: the app continues, and a later call succeeds.
 *
 * @source bridge-protocol.md#replies
 * @example
 * if (error instanceof BridgeClientError && continuesDiscovery(error)) console.log('Try again later.')
 */
export function continuesDiscovery({ code, data }: BridgeClientError): boolean {
  return (
    code === 'WorkflowDiscoveryFailedError' &&
    typeof data === 'object' &&
    data !== null &&
    'continues' in data &&
    data.continues === true
  )
}
