import { toPlainText } from '../base/plain-text.ts'
import type { BridgeClientError } from '../failure/error.ts'
import type { BridgeLogger } from '../options/options.ts'

/** A failed attempt, for the log. */
export interface FailedAttempt {
  /** The action of the call. */
  readonly action: string
  /** The bridge's address, safe to show. */
  readonly url: string
  /** The number of the attempt, from 1. */
  readonly attempt: number
  /** The delay before the next attempt, in milliseconds; absent if there is none. */
  readonly waitMs: number | undefined
}

/**
 * Logs a failed attempt. The message is constant, so that external text is never interpreted as a format; details are
 * bounded and have no control characters. Errors from the logger are ignored.
 */
export function reportFailure(logger: BridgeLogger, error: BridgeClientError, attempt: FailedAttempt): void {
  const { code, status, cause } = error
  const details = { ...attempt, code, status, message: toPlainText(error.message), ...cause }
  try {
    const result: unknown = logger.warn(details, 'A bridge call failed.')
    if (result instanceof Promise) result.catch(() => {})
  } catch {
    // The caller must get the original failure.
  }
}
