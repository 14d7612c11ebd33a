/** A call, as hooks are told of it: one object for each call, the same in every hook, so that data can be kept by it. */
export interface CallInfo {
  /** The action; `undefined` where the method was refused before the query was read. */
  readonly action: string | undefined
  /** The workflow's id, when the query named one. */
  readonly workflowId: string | undefined
  /** The step's id, when the query named one. */
  readonly stepId: string | undefined
  /** The agent's id, when the query named one. */
  readonly agentId: string | undefined
  /**
   * Returns a header of the request; `undefined` when it was not sent.
   *
   * @param name - In small letters.
   */
  header(name: string): string | undefined
}

/** The report of a step that was run for real. */
export interface StepReport {
  /** The workflow's id. */
  readonly workflowId: string
  /** The step's id. */
  readonly stepId: string
  /** How it ended; `skipped` when its condition left it out. */
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

/** A code that refuses a call because of its signature. */
export type SignatureCode =
  | 'SignatureNotFoundError'
  | 'SigningKeyNotFoundError'
  | 'SignatureInvalidError'
  | 'SignatureExpiredError'
  | 'SignatureMismatchError'

/** The report of a call that was refused because of its signature. It holds neither the signature nor the body. */
export interface RefusalReport extends Omit<CallInfo, 'header'> {
  /** Why it was refused. */
  readonly code: SignatureCode
  /** What was answered: what is wrong, and what to do. */
  readonly message: string
  /** The request's method. */
  readonly method: 'GET' | 'POST'
  /** When the call says it was signed, milliseconds since 1970; `undefined` where its header does not tell. */
  readonly signedAtMs: number | undefined
  /** When the call came, by the clock of the app, milliseconds since 1970. */
  readonly receivedAtMs: number
}

/**
 * Functions that are told what happens. They are called at once and not waited for; whatever they throw, or reject with,
 * is logged and changes nothing.
 */
export interface Hooks {
  /** Called when a call has come, before its signature is looked at. */
  readonly onRequest?: ((call: CallInfo) => void) | undefined
  /** Called after a step was run for real; not in a preview. */
  readonly onStep?: ((report: StepReport, call: CallInfo) => void) | undefined
  /** Called with what user code threw, also where it decided no answer. */
  readonly onError?:
    | ((error: unknown, report: Omit<CallReport, 'status' | 'durationMs'>, call: CallInfo) => void)
    | undefined
  /**
   * Called for each call that is refused because of its signature, before `onReply`. Anyone can cause as many as they
   * like: limit the rate of what it sends. A health check is answered to anyone, so it is never refused.
   */
  readonly onInvalidSignature?: ((report: RefusalReport, call: CallInfo) => void) | undefined
  /** Called after each answer was made. */
  readonly onReply?: ((report: CallReport, call: CallInfo) => void) | undefined
}

/** The names of all hooks. */
export const hookNames: readonly (keyof Hooks)[] = ['onRequest', 'onStep', 'onError', 'onInvalidSignature', 'onReply']
