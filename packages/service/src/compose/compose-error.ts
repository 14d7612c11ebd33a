import type { BridgeFailure } from '../bridge/bridge-call.ts'

/** Thrown when a step cannot be rendered, or its request failed. */
export class ComposeError extends Error {
  override readonly name = 'ComposeError'
  /** The failure as the run reports it. */
  readonly failure: BridgeFailure

  /**
   * @param code - An error code that bridges also use.
   * @param message - What happened and how to fix it.
   */
  constructor(code: keyof typeof statuses, message: string, data: unknown = null) {
    super(message)
    this.failure = { code, status: statuses[code], message, data }
  }

  /** Returns the error of a failure sent from the sandbox. */
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
