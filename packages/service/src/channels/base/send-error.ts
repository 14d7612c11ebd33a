/** Thrown when a message could not be sent to its provider. */
export class SendError extends Error {
  override readonly name = 'SendError'
  /** A short code: of the network policy, of the connection, or of the provider's answer. */
  readonly code: string
  /**
   * Set if the provider has not accepted the message, and may accept it later: the requested wait in milliseconds, 0 if
   * it does not say.
   */
  readonly waitMs: number | undefined

  /**
   * @param message - What happened, without secrets.
   * @param waitMs - The minimum wait before a retry, in milliseconds; `undefined` if it must not be retried.
   */
  constructor(code: string, message: string, waitMs?: number) {
    super(message)
    this.code = code
    this.waitMs = waitMs
  }
}
