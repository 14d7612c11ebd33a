import { isUniqueViolation } from '../store/faults/unique-violation.ts'

/** The errors of one field. */
export interface FieldErrors {
  /** The errors, as sentences. */
  readonly messages: readonly string[]
  /** The rejected value, if it is short. */
  readonly value?: unknown
}

/** The details of an error, in addition to status and message. */
export interface ApiErrorDetails {
  /** The errors by field; always set for status 422. */
  readonly errors?: Readonly<Record<string, FieldErrors>>
  readonly ctx?: Readonly<Record<string, unknown>>
  /** Additional fields of the body. */
  readonly extra?: Readonly<Record<string, unknown>>
  /** Response headers. */
  readonly headers?: Readonly<Record<string, string>>
}

/**
 * An error response. Its message is shown to the caller.
 *
 * @source service-api.md#errors-of-the-api
 */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  readonly status: number
  /** The details, in addition to status and message. */
  readonly details: ApiErrorDetails

  /** @param message - What is wrong and how to fix it, for the caller. */
  constructor(status: number, message: string, details: ApiErrorDetails = {}) {
    super(message)
    this.status = status
    this.details = details
  }
}

/**
 * Creates the 404 error for a missing resource.
 *
 * @param id - The name or id that was requested.
 */
export function notFound(what: string, id: string): ApiError {
  return new ApiError(404, `${what} ${JSON.stringify(id)} was not found in this environment.`)
}

/**
 * Returns the handler of a rejected write, for which a row that already exists is an error of the caller.
 *
 * @param message - The message of the error, such as `A tenant with this identifier already exists.`
 * @throws {ApiError} From the handler: 409, or the error of the write.
 */
export function refuseTaken(message: string): (error: unknown) => never {
  return (error) => {
    throw isUniqueViolation(error) ? new ApiError(409, message) : error
  }
}

/**
 * Creates the 422 error for one field.
 *
 * @param field - The name of the field; path segments are joined with dots.
 * @param message - What is wrong with the field.
 */
export function invalid(field: string, message: string, value?: unknown): ApiError {
  const errors = { [field]: { messages: [message], ...(value === undefined ? {} : { value }) } }
  return new ApiError(422, `${field}: ${message}`, { errors })
}
