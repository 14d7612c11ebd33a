import type { RateLimit } from './rate-limit.ts'

/** What kind of failure a call of the API met. */
export type ApiErrorCode =
  | 'BadRequest'
  | 'Unauthorized'
  | 'Forbidden'
  | 'NotFound'
  | 'MethodNotAllowed'
  | 'Conflict'
  | 'IdempotencyInProgress'
  | 'PayloadTooLarge'
  | 'UriTooLong'
  | 'UnsupportedMediaType'
  | 'ValidationFailed'
  | 'IdempotencyKeyReused'
  | 'RateLimited'
  | 'InternalError'
  | 'Unavailable'
  | 'UnexpectedStatus'
  | 'ConnectionFailed'
  | 'TimedOut'
  | 'Redirected'
  | 'AnswerTooLarge'
  | 'AnswerUnreadable'
  | 'RequestInvalid'
  | 'BulkFailed'
  | 'BrowserRefused'

/** What is wrong with one field. */
export interface ConstraintValidation {
  /** The constraints it fails. */
  readonly messages: readonly string[]
  /** The value that was sent, when the API tells it. */
  readonly value?: unknown
}

/** Fields of a request and what is wrong with them. */
export type FieldErrors = Readonly<Record<string, ConstraintValidation>>

/** How one chunk of a bulk call ended. */
export interface Chunk {
  /** Position of the chunk, counted from 0. */
  readonly index: number
  /** Position of its first item in the whole list. */
  readonly from: number
  /** How many items it holds. */
  readonly count: number
  /** The key it was sent with; sending the chunk again with it does not repeat its work. */
  readonly idempotencyKey: string
  /** `done`: went through; `failed`: refused or unknown; `unsent`: not tried. */
  readonly state: 'done' | 'failed' | 'unsent'
  /** What the API answered, when it went through. */
  readonly data?: unknown
}

/** What an {@link ApiError} carries beside code and message; all of it optional. */
export interface ApiErrorRest {
  /** HTTP status; absent when there was no answer. */
  readonly status?: number
  /** The `message` of the body as it came, of any JSON type. */
  readonly detail?: unknown
  /** Fields and what is wrong with them. */
  readonly errors?: FieldErrors
  /** The API's identifier of an internal error. */
  readonly errorId?: string
  /** Time of the error, ISO 8601. */
  readonly timestamp?: string
  /** The request's path, as the API tells it. */
  readonly path?: string
  /** Further context from the API. */
  readonly ctx?: Readonly<Record<string, unknown>>
  /** What the rate limit headers told. */
  readonly rateLimit?: RateLimit
  /** How long the API asked to wait, milliseconds. */
  readonly retryAfterMs?: number
  /** The key the request was sent with. */
  readonly idempotencyKey?: string
  /** Whether the answer was a stored one. */
  readonly replayed?: boolean
  /** Where the API wanted to redirect the call to. */
  readonly location?: string
  /** How the chunks of a bulk call ended. */
  readonly chunks?: readonly Chunk[]
  /** The error underneath. */
  readonly cause?: unknown
}

const brand = Symbol.for('trestle.api-error')

/** A call of the API that failed. No member ever holds the secret key. */
export class ApiError extends Error implements ApiErrorRest {
  /** What kind of failure it is. */
  readonly code: ApiErrorCode
  /** HTTP status; absent when there was no answer. */
  declare readonly status?: number
  /** The `message` of the body as it came, of any JSON type. */
  declare readonly detail?: unknown
  /** Fields and what is wrong with them. */
  declare readonly errors?: FieldErrors
  /** The API's identifier of an internal error. */
  declare readonly errorId?: string
  /** Time of the error, ISO 8601. */
  declare readonly timestamp?: string
  /** The request's path, as the API tells it. */
  declare readonly path?: string
  /** Further context from the API. */
  declare readonly ctx?: Readonly<Record<string, unknown>>
  /** What the rate limit headers told. */
  declare readonly rateLimit?: RateLimit
  /** How long the API asked to wait, milliseconds. */
  declare readonly retryAfterMs?: number
  /** The key the request was sent with. */
  declare readonly idempotencyKey?: string
  /** Whether the answer was a stored one. */
  declare readonly replayed?: boolean
  /** Where the API wanted to redirect the call to. */
  declare readonly location?: string
  /** How the chunks of a bulk call ended. */
  declare readonly chunks?: readonly Chunk[]

  /**
   * @param code - What kind of failure it is.
   * @param message - What is wrong, where, and what to do.
   * @param rest - What is known beside.
   */
  constructor(code: ApiErrorCode, message: string, rest: ApiErrorRest = {}) {
    const { cause, ...own } = rest
    super(message, 'cause' in rest ? { cause } : undefined)
    this.name = 'ApiError'
    this.code = code
    Object.assign(this, own)
  }
}

Object.defineProperty(ApiError.prototype, brand, { value: true })

/** What a code adds for certain. */
export interface ApiErrorByCode {
  /** The field map is there, empty where the API told none. */
  ValidationFailed: { readonly errors: FieldErrors }
  /** The headers have been looked at. */
  RateLimited: { readonly rateLimit: RateLimit }
  /** The chunks are listed. */
  BulkFailed: { readonly chunks: readonly Chunk[] }
}

/**
 * Tells whether a value is an {@link ApiError}, of any copy of the package, and of a code when one is given.
 *
 * @param value - Anything that was thrown.
 * @param code - The code it must have.
 */
export function isApiError<TCode extends ApiErrorCode = ApiErrorCode>(
  value: unknown,
  code?: TCode,
): value is ApiError & { readonly code: TCode } & (TCode extends keyof ApiErrorByCode
    ? ApiErrorByCode[TCode]
    : unknown) {
  if (typeof value !== 'object' || value === null || Reflect.get(value, brand) !== true) return false
  return code === undefined || Reflect.get(value, 'code') === code
}
