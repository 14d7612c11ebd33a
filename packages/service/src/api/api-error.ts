/** The faults of one field. */
export interface FieldErrors {
  /** The faults, a sentence each. */
  readonly messages: readonly string[]
  /** The value that was sent, when it is short. */
  readonly value?: unknown
}

/** The details of an error beside status and message. */
export interface ApiErrorDetails {
  /** The faults by field; always there with status 422. */
  readonly errors?: Readonly<Record<string, FieldErrors>>
  /** Further context. */
  readonly ctx?: Readonly<Record<string, unknown>>
  /** Fields of the body beside those of every error. */
  readonly extra?: Readonly<Record<string, unknown>>
  /** Headers of the answer. */
  readonly headers?: Readonly<Record<string, string>>
}

/**
 * An answer that is not a success. Its message is shown to the caller.
 *
 * @source service-api.md#errors-of-the-api
 */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  /** The HTTP status. */
  readonly status: number
  /** The details beside status and message. */
  readonly details: ApiErrorDetails

  /**
   * @param status - The HTTP status.
   * @param message - What is wrong and what to do, for the caller.
   */
  constructor(status: number, message: string, details: ApiErrorDetails = {}) {
    super(message)
    this.status = status
    this.details = details
  }
}

/**
 * Creates the error for a resource that the environment does not have.
 *
 * @param what - Such as `Subscriber`.
 * @param id - What it was asked for by.
 */
export function notFound(what: string, id: string): ApiError {
  return new ApiError(404, `${what} ${JSON.stringify(id)} was not found in this environment.`)
}

/**
 * Creates the error for one field that is wrong.
 *
 * @param field - Its name; parts of a path are joined by dots.
 * @param message - What is wrong with it.
 */
export function invalid(field: string, message: string, value?: unknown): ApiError {
  const errors = { [field]: { messages: [message], ...(value === undefined ? {} : { value }) } }
  return new ApiError(422, `${field}: ${message}`, { errors })
}
