import type { RateLimit } from './rate-limit.ts'

/** The kind of failure of an API call. */
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

/** The constraints that a field violates. */
export interface ConstraintValidation {
  /** The constraints, in words. */
  readonly messages: readonly string[]
  /** The value that was sent, if the API returns it. */
  readonly value?: unknown
}

/** The rejected fields of a request, with reasons. */
export type FieldErrors = Readonly<Record<string, ConstraintValidation>>

/** The result of one chunk of a bulk call. */
export interface Chunk {
  /** Position of the chunk, counted from 0. */
  readonly index: number
  /** Position of its first item in the whole list. */
  readonly from: number
  /** Number of items in it. */
  readonly count: number
  /** The key it was sent with; resending the chunk with this key does not repeat its work. */
  readonly idempotencyKey: string
  /** `done`: succeeded; `failed`: rejected or unknown; `unsent`: not tried. */
  readonly state: 'done' | 'failed' | 'unsent'
  /** The API's response, if the chunk succeeded. */
  readonly data?: unknown
}

/** The optional members of an {@link ApiError}. */
export interface ApiErrorRest {
  /** The operation, such as `POST /v1/events/trigger`, without parameter values. */
  readonly operation?: string
  /** HTTP status; absent without a response. */
  readonly status?: number
  /**
   * The response body: parsed JSON, or text if it is not JSON, is nested deeper than 200 levels, is longer than 256 KiB
   * or is incomplete. Text is limited to 65,536 characters; if it was truncated, `isBodyCut` is set.
   */
  readonly body?: unknown
  /** Whether `body` was truncated. */
  readonly isBodyCut?: boolean
  /** The `message` of the body, of any JSON type; the text of a body that is not JSON. */
  readonly detail?: unknown
  /** The rejected fields, with reasons. */
  readonly errors?: FieldErrors
  /** The API's identifier of an internal error. */
  readonly errorId?: string
  /** Time of the error, ISO 8601. */
  readonly timestamp?: string
  /** The request path as returned by the API. */
  readonly path?: string
  /** More context from the API. */
  readonly ctx?: Readonly<Record<string, unknown>>
  /** The values of the rate limit headers. */
  readonly rateLimit?: RateLimit
  /** The delay requested by the API, in milliseconds. */
  readonly retryAfterMs?: number
  /** The key the request was sent with. */
  readonly idempotencyKey?: string
  /** Whether the response was replayed for an idempotency key. */
  readonly replayed?: boolean
  /** The target of a redirect by the API. */
  readonly location?: string
  /** The results of the chunks of a bulk call. */
  readonly chunks?: readonly Chunk[]
  /** The underlying error. For errors from `fetch`, only names, messages, codes and stacks are kept. */
  readonly cause?: unknown
}

const brand = Symbol.for('trestle.api-error')

/**
 * A failed API call. No member contains the secret key, even if the API or `fetch` repeated it.
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
  /** The operation, such as `POST /v1/events/trigger`, without parameter values. */
  declare readonly operation?: string
  /** HTTP status; absent without a response. */
  declare readonly status?: number
  /** The response body: parsed JSON, or text. */
  declare readonly body?: unknown
  /** Whether `body` was truncated. */
  declare readonly isBodyCut?: boolean
  /** The `message` of the body, of any JSON type; the text of a body that is not JSON. */
  declare readonly detail?: unknown
  /** The rejected fields, with reasons. */
  declare readonly errors?: FieldErrors
  /** The API's identifier of an internal error. */
  declare readonly errorId?: string
  /** Time of the error, ISO 8601. */
  declare readonly timestamp?: string
  /** The request path as returned by the API. */
  declare readonly path?: string
  /** More context from the API. */
  declare readonly ctx?: Readonly<Record<string, unknown>>
  /** The values of the rate limit headers. */
  declare readonly rateLimit?: RateLimit
  /** The delay requested by the API, in milliseconds. */
  declare readonly retryAfterMs?: number
  /** The key the request was sent with. */
  declare readonly idempotencyKey?: string
  /** Whether the response was replayed for an idempotency key. */
  declare readonly replayed?: boolean
  /** The target of a redirect by the API. */
  declare readonly location?: string
  /** The results of the chunks of a bulk call. */
  declare readonly chunks?: readonly Chunk[]

  /**
   * Creates an error.
   *
   * @param code - The kind of failure.
   * @param message - What is wrong, where, and how to fix it.
   * @param rest - The optional members.
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

/** The members that are always set for a code. */
export interface ApiErrorByCode {
  /** Always set; empty if the API sent no fields. */
  ValidationFailed: { readonly errors: FieldErrors }
  /** The values of the rate limit headers. */
  RateLimited: { readonly rateLimit: RateLimit }
  /** The results of the chunks. */
  BulkFailed: { readonly chunks: readonly Chunk[] }
}

/**
 * Returns whether a value is an {@link ApiError} from any copy of the package, optionally with a given code.
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
