import type { FailureCause } from '../failure/error.ts'
import type { FailureCode } from '../failure/failure.ts'
import type { Phase } from '../failure/fault.ts'

/** Options of an {@link OutboundError}. */
export interface OutboundErrorRest {
  /** Whether the outbound address policy blocked the address. */
  readonly isRefused: boolean
  /** The phase in which the request failed. @default unknown */
  readonly phase?: Phase
  /** The cause of the failure. */
  readonly cause: FailureCause
}

/** Reports that a request to a configured address was blocked, or failed before a response. */
export class OutboundError extends Error {
  /** The code of the policy or of the connection, the same as for a bridge call. */
  readonly code: FailureCode
  /** Whether the outbound address policy blocked the address; a retry would fail again. */
  readonly isRefused: boolean
  /**
   * The phase in which the request failed. Nothing was sent in `lookup`, `prepare`, `connect` and `secure`, so a retry
   * cannot repeat the request. Absent if the policy blocked the address, or if only the body could not be read.
   */
  readonly phase: Phase | undefined
  /** The cause of the failure, for the log. */
  override readonly cause: FailureCause

  /**
   * @param code - A client code.
   * @param message - A message for the caller, without the resolved address.
   * @param rest - Whether the policy blocked the address, the phase, and the cause.
   */
  constructor(code: FailureCode, message: string, rest: OutboundErrorRest) {
    super(message)
    this.name = 'OutboundError'
    this.code = code
    this.isRefused = rest.isRefused
    this.phase = rest.phase
    this.cause = rest.cause
  }
}
