import type { BridgeFailure } from '../bridge/bridge-call.ts'

/** Thrown when a step cannot be rendered, or what it asks for failed. */
export class ComposeError extends Error {
  override readonly name = 'ComposeError'
  /** The failure as the run is told of it. */
  readonly failure: BridgeFailure

  /**
   * @param code - A code of the errors that bridges have too.
   * @param message - What happened and what to do.
   * @param data - Details.
   */
  constructor(code: keyof typeof statuses, message: string, data: unknown = null) {
    super(message)
    this.failure = { code, status: statuses[code], message, data }
  }

  /** Returns the error of a failure that was sent from another thread. */
  static of({ code, message, data }: BridgeFailure): ComposeError {
    return new ComposeError(code as keyof typeof statuses, message, data)
  }
}

/** The HTTP status of each failure. */
const statuses = {
  StepControlCompilationFailedError: 400,
  ExecutionEventControlInvalidError: 400,
  StepExecutionFailedError: 502,
} as const
