/** The service's error response. */
export interface ApiFailureDetails {
  /** HTTP status, or 0 if there was no response. */
  readonly status: number
  /** Stable error code, if the response has one. */
  readonly code?: string | undefined
  /** Errors by field, from a 422 response or an invalid payload; the key is empty for the whole value. */
  readonly fields?: Readonly<Record<string, readonly string[]>> | undefined
  /** The sign-in methods, from a 401 response to the session request. */
  readonly signIn?: { readonly provider: string | null } | undefined
  /** Identifies the failure in the service's log, from a 500 response. */
  readonly errorId?: string | undefined
}

/** A failed request to the service. */
export class ApiFailure extends Error {
  readonly details: ApiFailureDetails

  constructor(message: string, details: ApiFailureDetails) {
    super(message)
    this.name = 'ApiFailure'
    this.details = details
  }
}
