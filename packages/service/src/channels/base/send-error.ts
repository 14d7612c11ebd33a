/**
 * The cause of a failed attempt. `integration`: its credentials, account or address, so that another integration may
 * succeed. `message`: the message or its recipient. `unknown`: the provider may have accepted the message.
 */
export type Blame = 'integration' | 'message' | 'unknown'

/** Details of a failed attempt. */
export interface SendErrorRest {
  /** The cause. @default 'message' */
  readonly blame?: Blame
  /** The minimum wait before a retry, in milliseconds. @default it must not be retried */
  readonly waitMs?: number | undefined
}

/** Thrown when a message could not be sent to its provider. */
export class SendError extends Error {
  override readonly name = 'SendError'
  /** A short code: of the network policy, of the connection, or of the provider's answer. */
  readonly code: string
  readonly blame: Blame
  /**
   * Set if the provider has not accepted the message, and may accept it later: the requested wait in milliseconds, 0 if
   * it does not say.
   */
  readonly waitMs: number | undefined

  /**
   * @param message - What happened, without secrets.
   * @param rest - The cause, and whether it may be retried.
   */
  constructor(code: string, message: string, { blame = 'message', waitMs }: SendErrorRest = {}) {
    super(message)
    this.code = code
    this.blame = blame
    this.waitMs = waitMs
  }
}
