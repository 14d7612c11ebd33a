/** Thrown when a message could not be handed to its provider. */
export class SendError extends Error {
  override readonly name = 'SendError'
  /** A short code: of the policy, of the connection, or of the provider's answer. */
  readonly code: string

  /**
   * @param code - The code.
   * @param message - What happened, without secrets.
   */
  constructor(code: string, message: string) {
    super(message)
    this.code = code
  }
}
