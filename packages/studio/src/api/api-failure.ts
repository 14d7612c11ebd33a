/** What the service said when it refused a request. */
export interface ApiFailureDetails {
  /** HTTP status, or 0 where no answer came. */
  readonly status: number
  /** Stable code of the failure, where the answer names one. */
  readonly code?: string | undefined
  /** What is wrong by field, of an answer 422 or of a payload that was refused; empty for the whole of it. */
  readonly fields?: Readonly<Record<string, readonly string[]>> | undefined
  /** Names the failure in the service's log, of an answer 500. */
  readonly errorId?: string | undefined
}

/** A request to the service that did not succeed. */
export class ApiFailure extends Error {
  /** What the service said. */
  readonly details: ApiFailureDetails

  constructor(message: string, details: ApiFailureDetails) {
    super(message)
    this.name = 'ApiFailure'
    this.details = details
  }
}
