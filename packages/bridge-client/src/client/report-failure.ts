import { toPlainText } from '../base/plain-text.ts'
import type { BridgeClientError } from '../failure/error.ts'
import type { BridgeLogger } from '../options/options.ts'

/** Describes a failed attempt, beside its error. */
export interface FailedAttempt {
  /** The action of the call. */
  readonly action: string
  /** The bridge's address as it may be shown. */
  readonly url: string
  /** The number of the attempt, from 1. */
  readonly attempt: number
  /** How long until the next attempt, milliseconds; absent where none follows. */
  readonly waitMs: number | undefined
}

/**
 * Logs a failed attempt. The line is constant, so that no text of a bridge or a URL is taken for a format; the details
 * are bounded and hold no control characters. A logger that fails changes nothing.
 */
export function reportFailure(logger: BridgeLogger, error: BridgeClientError, attempt: FailedAttempt): void {
  const { code, status, cause } = error
  const details = { ...attempt, code, status, message: toPlainText(error.message), ...cause }
  try {
    const result: unknown = logger.warn(details, 'A bridge call failed.')
    if (result instanceof Promise) result.catch(() => {})
  } catch {
    // The failure itself is what the caller must learn.
  }
}
