import { toPlainError } from '../base/plain-error.ts'
import { toPlainText } from '../base/plain-text.ts'
import { type FailureCode, failures } from './failure.ts'

/** Holds what led to a failure, for the log. Never part of the message, and never sent to whoever stored the URL. */
export interface FailureCause {
  /** Says what happened. */
  readonly reason: string
  /** Says what to do about it. */
  readonly fix?: string
  /** The address the host resolved to, when it got that far. */
  readonly address?: string
  /** The HTTP status of the answer, when there was one. */
  readonly httpStatus?: number
  /** The error underneath, when there was one: its name, message, code and stack, never the bytes of the exchange. */
  readonly error?: unknown
}

/** Holds what a {@link BridgeClientError} carries beside code and message. */
export interface BridgeClientErrorRest {
  /** HTTP status of the failure. */
  readonly status: number
  /** Details of the bridge's own error; `null` for every other failure. */
  readonly data?: unknown
  /** Holds what led to the failure. */
  readonly cause?: FailureCause
}

/** Reports that a call of a bridge failed: with a code of the client's tables, or with the bridge's own. */
export class BridgeClientError extends Error {
  /** A {@link FailureCode}, or the code the bridge answered with. */
  readonly code: string
  /** HTTP status of the failure; for the bridge's own error the one it answered with. */
  readonly status: number
  /** Details of the bridge's own error; `null` for every other failure. */
  readonly data: unknown
  /** Holds what led to the failure, for the log. */
  override readonly cause: FailureCause | undefined

  /**
   * @param code - Code of the tables or of the bridge.
   * @param message - A message for the caller.
   * @param rest - Status, details and cause.
   */
  constructor(code: string, message: string, rest: BridgeClientErrorRest) {
    super(message)
    this.name = 'BridgeClientError'
    this.code = code
    this.status = rest.status
    this.data = rest.data ?? null
    this.cause = rest.cause
  }
}

/**
 * Creates the error of a code of the tables.
 *
 * @param code - One of the client's own codes.
 * @param url - The bridge's address as it may be shown.
 * @param cause - What led to it, which {@link completeCause} completes.
 */
export function createFailure(code: FailureCode, url: string, cause: FailureCause): BridgeClientError {
  const { status, message } = failures[code]
  return new BridgeClientError(code, message(url), { status, cause: completeCause(code, cause) })
}

/**
 * Returns a cause with the fix of its code. What came from outside is bounded and made printable, and of the error
 * underneath only name, message, code and stack are kept.
 *
 * @param code - One of the client's own codes.
 */
export function completeCause(code: FailureCode, cause: FailureCause): FailureCause {
  const { reason, address, error, ...rest } = cause
  return {
    fix: failures[code].fix,
    ...rest,
    reason: toPlainText(reason),
    ...(address === undefined ? {} : { address: toPlainText(address, 100) }),
    ...(error === undefined ? {} : { error: toPlainError(error) }),
  }
}
