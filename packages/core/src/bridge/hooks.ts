/** A call, as passed to hooks. Each call has exactly one such object, so that hooks can use it as a key. */
export interface CallInfo {
  /** The action; `undefined` if the method was rejected before the query was read. */
  readonly action: string | undefined
  /** The workflow id, if the query contains one. */
  readonly workflowId: string | undefined
  /** The step id, if the query contains one. */
  readonly stepId: string | undefined
  /** The agent id, if the query contains one. */
  readonly agentId: string | undefined
  /**
   * Returns a request header; `undefined` if it was not sent.
   *
   * @param name - The header name, in lowercase.
   */
  header(name: string): string | undefined
}

/** The report on a step that a call executed, or was to execute (not a preview). */
export interface StepReport {
  readonly workflowId: string
  readonly stepId: string
  /** The outcome: `skipped` if its condition skipped it, or its run did not reach it. */
  readonly status: 'completed' | 'skipped' | 'failed'
  /** The error code; `undefined` unless it failed. */
  readonly code: string | undefined
  /** How long the workflow function and the step took together, in milliseconds. */
  readonly durationMs: number
}

/** The report on a finished call. */
export interface CallReport extends Omit<CallInfo, 'header'> {
  /** The response status. */
  readonly status: number
  /** The error code; `undefined` on success. */
  readonly code: string | undefined
  /** The time from the call's arrival to the response, in milliseconds. */
  readonly durationMs: number
}

/** An error code for a call that is rejected because of its signature. */
export type SignatureCode =
  | 'SignatureNotFoundError'
  | 'SigningKeyNotFoundError'
  | 'SignatureInvalidError'
  | 'SignatureExpiredError'
  | 'SignatureMismatchError'

/** The report on a call that was rejected because of its signature. It contains neither the signature nor the body. */
export interface RefusalReport extends Omit<CallInfo, 'header'> {
  /** The error code. */
  readonly code: SignatureCode
  /** The error message of the response: what is wrong, and how to fix it. */
  readonly message: string
  /** The request's method. */
  readonly method: 'GET' | 'POST'
  /** The time in the signature, in milliseconds since 1970; `undefined` if the header has none. */
  readonly signedAtMs: number | undefined
  /** When the call arrived, by the app's clock, in milliseconds since 1970. */
  readonly receivedAtMs: number
}

/**
 * Functions called on events of the bridge. They are not awaited; errors they throw or reject with are logged and
 * ignored.
 */
export interface Hooks {
  /** Called when a call arrives, before its signature is verified. */
  readonly onRequest?: ((call: CallInfo) => void) | undefined
  /** Called after a step was executed, skipped or could not be executed; not called for previews. */
  readonly onStep?: ((report: StepReport, call: CallInfo) => void) | undefined
  /** Called with errors from user code, even if they did not affect the response. */
  readonly onError?:
    | ((error: unknown, report: Omit<CallReport, 'status' | 'durationMs'>, call: CallInfo) => void)
    | undefined
  /**
   * Called for each call that is rejected because of its signature, before `onReply`. Anyone can cause such calls, so
   * rate-limit anything you send from this hook. Health checks are never rejected.
   */
  readonly onInvalidSignature?: ((report: RefusalReport, call: CallInfo) => void) | undefined
  /** Called after each response. */
  readonly onReply?: ((report: CallReport, call: CallInfo) => void) | undefined
}

/** The names of all hooks. */
export const hookNames: readonly (keyof Hooks)[] = ['onRequest', 'onStep', 'onError', 'onInvalidSignature', 'onReply']
