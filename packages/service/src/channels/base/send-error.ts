/** Thrown when a message could not be handed to its provider. */
export class SendError extends Error {
  override readonly name = 'SendError'
  /** A short code: of the policy, of the connection, or of the provider's answer. */
  readonly code: string
  /**
   * Set where the provider has not taken the message, and may take it later: how long it asks to wait,
   * milliseconds, 0 where it does not say.
   */
  readonly waitMs: number | undefined

  /**
   * @param code - The code.
   * @param message - What happened, without secrets.
   * @param waitMs - How long to wait at least before it is sent again; `undefined` where it must not be.
   */
  constructor(code: string, message: string, waitMs?: number) {
    super(message)
    this.code = code
    this.waitMs = waitMs
  }
}
