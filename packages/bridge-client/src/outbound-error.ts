import type { FailureCode } from './failure.ts'

/** A request to an address a user configured that failed before it was answered. */
export class OutboundError extends Error {
  /** The code of the policy or of the connection, as a bridge's call would have it. */
  readonly code: FailureCode
  /** Whether the outbound address policy refused the address; a repeated request fails alike. */
  readonly isRefused: boolean

  /**
   * @param code - Code of the tables.
   * @param message - What happened, without the resolved address.
   * @param isRefused - Whether the policy refused the address.
   */
  constructor(code: FailureCode, message: string, isRefused: boolean) {
    super(message)
    this.name = 'OutboundError'
    this.code = code
    this.isRefused = isRefused
  }
}
