/** The codes of inbox errors. */
export type InboxErrorCode = 'Closed' | 'OptionsInvalid' | 'RequestFailed' | 'ServiceUnreachable' | 'SessionRefused'

/** An error from the inbox. */
export class InboxError extends Error {
  override readonly name = 'InboxError'
  /** The kind of error. */
  readonly code: InboxErrorCode
  /** HTTP status of the response, if there was one. */
  readonly status: number | undefined

  constructor(code: InboxErrorCode, message: string, status?: number) {
    super(message)
    this.code = code
    this.status = status
  }
}
