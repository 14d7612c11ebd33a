import type { RateLimit } from './rate-limit.ts'

/** The kind of failure that a call of the API met. */
export type ApiErrorCode =
  | 'BadRequest'
  | 'Unauthorized'
  | 'Forbidden'
  | 'NotFound'
  | 'MethodNotAllowed'
  | 'RequestTimeout'
  | 'Conflict'
  | 'IdempotencyInProgress'
  | 'PayloadTooLarge'
  | 'UriTooLong'
  | 'UnsupportedMediaType'
  | 'ValidationFailed'
  | 'IdempotencyKeyReused'
  | 'RateLimited'
  | 'InternalError'
  | 'GatewayFailed'
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

/** The constraints that one field fails. */
export interface ConstraintValidation {
  /** The constraints, in words. */
  readonly messages: readonly string[]
  /** The value that was sent, where the API repeats it. */
  readonly value?: unknown
}

/** The fields of a request that were refused, and why. */
export type FieldErrors = Readonly<Record<string, ConstraintValidation>>

/** How one chunk of a bulk call ended. */
export interface Chunk {
  /** Position of the chunk, counted from 0. */
  readonly index: number
  /** Position of its first item in the whole list. */
  readonly from: number
  /** Number of items in it. */
  readonly count: number
  /** The key it was sent with; sending the chunk again with it does not repeat its work. */
  readonly idempotencyKey: string
  /** `done`: went through; `failed`: refused or unknown; `unsent`: not tried. */
  readonly state: 'done' | 'failed' | 'unsent'
  /** The answer of the API, when the chunk went through. */
  readonly data?: unknown
}

/** The members of an {@link ApiError} beside code and message; all of them optional. */
export interface ApiErrorRest {
  /** The operation that was called, such as `POST /v1/events/trigger`, without the values of its parameters. */
  readonly operation?: string
  /** HTTP status; absent when there was no answer. */
  readonly status?: number
  /**
   * The body of the answer: parsed JSON, or the text of what is not JSON, is nested deeper than 200 levels, is longer
   * than 256 KiB or broke off. Of a text at most 65 536 characters are kept; where they are not all, `isBodyCut` is set.
   */
  readonly body?: unknown
  /** Whether `body` is only the beginning of what the API sent. */
  readonly isBodyCut?: boolean
  /** The `message` of the body as it came, of any JSON type; the text of a body that is not JSON. */
  readonly detail?: unknown
  /** The fields that were refused, and why. */
  readonly errors?: FieldErrors
  /** The API's identifier of an internal error. */
  readonly errorId?: string
  /** Time of the error, ISO 8601. */
  readonly timestamp?: string
  /** The request's path as the API repeats it. */
  readonly path?: string
  /** Further context from the API. */
  readonly ctx?: Readonly<Record<string, unknown>>
  /** The values of the rate limit headers. */
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
  /** The error underneath. Of an error from `fetch` only names, messages, codes and stacks are kept. */
  readonly cause?: unknown
}

const brand = Symbol.for('trestle.api-error')

/**
 * A call of the API that failed. No member holds the secret key, whatever the API or `fetch` repeated of it.
 *
 * @example
 * try {
 *   await api.topics.get({ topicKey: 'team-7' })
 * } catch (error) {
 *   if (!isApiError(error, 'NotFound')) throw error
 * }
 */
export class ApiError extends Error implements ApiErrorRest {
  /** The kind of failure. */
  readonly code: ApiErrorCode
  /** The operation that was called, such as `POST /v1/events/trigger`, without the values of its parameters. */
  declare readonly operation?: string
  /** HTTP status; absent when there was no answer. */
  declare readonly status?: number
  /** The body of the answer: parsed JSON, else the text. */
  declare readonly body?: unknown
  /** Whether `body` is only the beginning of what the API sent. */
  declare readonly isBodyCut?: boolean
  /** The `message` of the body as it came, of any JSON type; the text of a body that is not JSON. */
  declare readonly detail?: unknown
  /** The fields that were refused, and why. */
  declare readonly errors?: FieldErrors
  /** The API's identifier of an internal error. */
  declare readonly errorId?: string
  /** Time of the error, ISO 8601. */
  declare readonly timestamp?: string
  /** The request's path as the API repeats it. */
  declare readonly path?: string
  /** Further context from the API. */
  declare readonly ctx?: Readonly<Record<string, unknown>>
  /** The values of the rate limit headers. */
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
   * Creates an error.
   *
   * @param code - The kind of failure.
   * @param message - The fault, its place, and what to do.
   * @param rest - The members that are known.
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

/** The members that are always there for a code. */
export interface ApiErrorByCode {
  /** The field map is there, empty where the API sent none. */
  ValidationFailed: { readonly errors: FieldErrors }
  /** The headers have been read. */
  RateLimited: { readonly rateLimit: RateLimit }
  /** The chunks are listed. */
  BulkFailed: { readonly chunks: readonly Chunk[] }
}

/**
 * Returns whether a value is an {@link ApiError}, of any copy of the package, and of a code when one is named.
 *
 * @param value - Anything that was thrown.
 * @param code - The code it must have.
 *
 * @example
 * if (isApiError(error, 'ValidationFailed')) console.log(error.errors)
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
