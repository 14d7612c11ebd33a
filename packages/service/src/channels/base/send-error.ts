/**
 * The cause of a failed attempt. `integration`: its credentials, account or address; another integration may succeed.
 * `message`: the message or its recipient. `unknown`: the provider may have accepted the message.
 */
export type Blame = 'integration' | 'message' | 'unknown'

/**
 * The meaning of a rejection. `temporary`: the provider has not accepted the message and may accept it later.
 */
export type RefusalMeaning = Blame | 'temporary'

/** Details of a failed attempt. */
export interface SendErrorRest {
  /** The cause. @default 'message' */
  readonly blame?: Blame
  /** The minimum delay before a retry, in milliseconds. @default it must not be retried */
  readonly waitMs?: number | undefined
}

/** Thrown when a message could not be sent to its provider. */
export class SendError extends Error {
  override readonly name = 'SendError'
  /** A short code from the network policy, the connection, or the provider's response. */
  readonly code: string
  readonly blame: Blame
  /**
   * Set if the provider has not accepted the message but may accept it later: the requested delay in milliseconds, or 0
   * if it requests none.
   */
  readonly waitMs: number | undefined

  /**
   * @param message - What happened, without secrets.
   * @param rest - The cause, and whether the attempt can be retried.
   */
  constructor(code: string, message: string, { blame = 'message', waitMs }: SendErrorRest = {}) {
    super(message)
    this.code = code
    this.blame = blame
    this.waitMs = waitMs
  }
}
