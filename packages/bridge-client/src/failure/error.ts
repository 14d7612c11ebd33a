import { toPlainError } from '../base/plain-error.ts'
import { toPlainText } from '../base/plain-text.ts'
import { type FailureCode, failures } from './failure.ts'

/** The cause of a failure, for the log. Never part of the message, and never sent to the owner of the URL. */
export interface FailureCause {
  /** What happened. */
  readonly reason: string
  /** How to fix it. */
  readonly fix?: string
  /** The address the host resolved to, if it was resolved. */
  readonly address?: string
  /** The HTTP status of the response, if there was one. */
  readonly httpStatus?: number
  /** The underlying error, if there was one: its name, message, code and stack, never the transmitted bytes. */
  readonly error?: unknown
}

/** The optional parts of a {@link BridgeClientError}. */
export interface BridgeClientErrorRest {
  /** HTTP status of the failure. */
  readonly status: number
  /** Details of a bridge error; `null` for every other failure. */
  readonly data?: unknown
  /** The cause of the failure. */
  readonly cause?: FailureCause
}

/** A failed bridge call, with a code of the client or of the bridge. */
export class BridgeClientError extends Error {
  /** A {@link FailureCode}, or the code the bridge returned. */
  readonly code: string
  /** HTTP status of the failure; for a bridge error, that of the response. */
  readonly status: number
  /** Details of a bridge error; `null` for every other failure. */
  readonly data: unknown
  /** The cause of the failure, for the log. */
  override readonly cause: FailureCause | undefined

  /**
   * @param code - A code from the client's tables or from the bridge.
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
 * Creates the error for a client code.
 *
 * @param code - One of the client's codes.
 * @param url - The bridge's address, safe to show.
 * @param cause - The cause, completed by {@link completeCause}.
 */
export function createFailure(code: FailureCode, url: string, cause: FailureCause): BridgeClientError {
  const { status, message } = failures[code]
  return new BridgeClientError(code, message(url), { status, cause: completeCause(code, cause) })
}

/**
 * Adds the fix for a code to a cause. Bounds external text and makes it printable, and keeps only name, message, code
 * and stack of the underlying error.
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
