/** A call, as passed to hooks. Each call has one object, so that hooks can use it as a key. */
export interface CallInfo {
  /** The action; `undefined` if the method was rejected before the query was read. */
  readonly action: string | undefined
  /** The workflow's id, if the query has one. */
  readonly workflowId: string | undefined
  /** The step's id, if the query has one. */
  readonly stepId: string | undefined
  /** The agent's id, if the query has one. */
  readonly agentId: string | undefined
  /**
   * Returns a header of the request; `undefined` when it was not sent.
   *
   * @param name - In lowercase.
   */
  header(name: string): string | undefined
}

/** The report of a step that was run for real. */
export interface StepReport {
  readonly workflowId: string
  readonly stepId: string
  /** How it ended; `skipped` if its condition skipped it. */
  readonly status: 'completed' | 'skipped' | 'failed'
  /** The code of the failure; `undefined` unless it failed. */
  readonly code: string | undefined
  /** How long the workflow function and the step took, in milliseconds. */
  readonly durationMs: number
}

/** The report of a finished call. */
export interface CallReport extends Omit<CallInfo, 'header'> {
  /** The status of the answer. */
  readonly status: number
  /** The code of the failure; `undefined` on success. */
  readonly code: string | undefined
  /** From the call's arrival to the answer, in milliseconds. */
  readonly durationMs: number
}

/** A code that rejects a call because of its signature. */
export type SignatureCode =
  | 'SignatureNotFoundError'
  | 'SigningKeyNotFoundError'
  | 'SignatureInvalidError'
  | 'SignatureExpiredError'
  | 'SignatureMismatchError'

/** The report of a call that was rejected because of its signature. It contains neither the signature nor the body. */
export interface RefusalReport extends Omit<CallInfo, 'header'> {
  /** The error code. */
  readonly code: SignatureCode
  /** The message of the answer: what is wrong, and how to fix it. */
  readonly message: string
  /** The request's method. */
  readonly method: 'GET' | 'POST'
  /** The signature time, milliseconds since 1970; `undefined` if the header has none. */
  readonly signedAtMs: number | undefined
  /** When the call arrived, by the clock of the app, milliseconds since 1970. */
  readonly receivedAtMs: number
}

/**
 * Functions called on events of the bridge. They are not awaited; errors they throw or reject with are logged and
 * ignored.
 */
export interface Hooks {
  /** Called when a call has arrived, before its signature is verified. */
  readonly onRequest?: ((call: CallInfo) => void) | undefined
  /** Called after a step was run for real; not in a preview. */
  readonly onStep?: ((report: StepReport, call: CallInfo) => void) | undefined
  /** Called with errors of user code, even if they did not affect the answer. */
  readonly onError?:
    | ((error: unknown, report: Omit<CallReport, 'status' | 'durationMs'>, call: CallInfo) => void)
    | undefined
  /**
   * Called for each call that is rejected because of its signature, before `onReply`. Anyone can cause such calls, so
   * rate limit what you send. Health checks are never rejected.
   */
  readonly onInvalidSignature?: ((report: RefusalReport, call: CallInfo) => void) | undefined
  /** Called after each answer. */
  readonly onReply?: ((report: CallReport, call: CallInfo) => void) | undefined
}

/** The names of all hooks. */
export const hookNames: readonly (keyof Hooks)[] = ['onRequest', 'onStep', 'onError', 'onInvalidSignature', 'onReply']
