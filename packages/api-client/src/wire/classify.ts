import { ApiError, type ApiErrorCode, type ApiErrorRest, type FieldErrors } from '../error/error.ts'
import { parseRateLimit, parseRetryAfter } from '../error/rate-limit.ts'
import type { WireAnswer } from './exchange.ts'

/** What the classification of a failure needs to know of the call. */
export interface FailureContext {
  /** The key the request was sent with. */
  readonly idempotencyKey: string | undefined
  /** Taken out of every text, should the API ever repeat it. */
  readonly secretKey: string
  /** The clock, milliseconds since 1970. */
  readonly nowMs: () => number
}

const codes: Readonly<Record<number, readonly [ApiErrorCode, string]>> = {
  400: ['BadRequest', 'Bad Request'],
  401: ['Unauthorized', 'Unauthorized: check the secret key, and that it belongs to this environment and region'],
  403: ['Forbidden', 'Forbidden'],
  404: ['NotFound', 'Not Found'],
  405: ['MethodNotAllowed', 'Method Not Allowed'],
  409: ['Conflict', 'Conflict'],
  413: ['PayloadTooLarge', 'Payload Too Large'],
  414: ['UriTooLong', 'URI Too Long'],
  415: ['UnsupportedMediaType', 'Unsupported Media Type'],
  422: ['ValidationFailed', 'Unprocessable Entity'],
  429: ['RateLimited', 'API rate limit exceeded'],
  500: ['InternalError', 'Internal Server Error'],
  503: ['Unavailable', 'The service is overloaded or under maintenance; wait and retry'],
}

const maxTextLength = 1000

/**
 * Gives the error of an answer that is no success. The body may be an ErrorDto, plain text, a page or nothing.
 *
 * @param answer - Status, headers and text.
 * @param context - What is known of the call.
 * @source Specification, "Body shapes and status codes" and "Idempotency errors".
 */
export function classifyFailure(answer: WireAnswer, context: FailureContext): ApiError {
  const { status, headers } = answer
  const { idempotencyKey } = context
  const text = answer.text.replaceAll(context.secretKey, '[secret]')
  if (status === 0 || (status >= 300 && status < 400)) return redirected(answer, idempotencyKey)
  const body = parseBody(text)
  const errors = toFieldErrors(body['errors'])
  const retryAfterMs = parseRetryAfter(headers.get('retry-after'), context.nowMs())
  const [fallback, words] = codes[status] ?? ['UnexpectedStatus', `The API answered ${status}`]
  const detail = 'message' in body ? body['message'] : isPage(headers, text) ? undefined : text.slice(0, maxTextLength)
  const message = toWords(detail) ?? words
  const rest: ApiErrorRest = {
    status,
    rateLimit: parseRateLimit(headers),
    replayed: headers.get('idempotency-replay') === 'true',
    ...(detail === undefined || detail === '' ? {} : { detail }),
    ...(errors === undefined && status !== 422 ? {} : { errors: errors ?? {} }),
    ...pickText(body, ['errorId', 'timestamp', 'path']),
    ...(isObject(body['ctx']) ? { ctx: body['ctx'] } : {}),
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
    ...(idempotencyKey === undefined ? {} : { idempotencyKey }),
  }
  return new ApiError(toIdempotencyCode(message, rest) ?? fallback, message, rest)
}

/** A conflict that asks to wait is the key's; so is a 422 that names the key and no field. */
function toIdempotencyCode(message: string, rest: ApiErrorRest): ApiErrorCode | undefined {
  const { status, idempotencyKey, retryAfterMs, errors = {} } = rest
  if (idempotencyKey === undefined) return undefined
  if (status === 409 && retryAfterMs !== undefined) return 'IdempotencyInProgress'
  const namesKey = status === 422 && Object.keys(errors).length === 0 && message.includes(idempotencyKey)
  return namesKey ? 'IdempotencyKeyReused' : undefined
}

function redirected({ status, headers }: WireAnswer, idempotencyKey: string | undefined): ApiError {
  const location = headers.get('location')
  return new ApiError('Redirected', 'The API answered with a redirect, which is not followed: check apiUrl.', {
    status,
    ...(location === null ? {} : { location }),
    ...(idempotencyKey === undefined ? {} : { idempotencyKey }),
  })
}

function parseBody(text: string): Readonly<Record<string, unknown>> {
  try {
    const body: unknown = JSON.parse(text)
    return isObject(body) ? body : {}
  } catch {
    return {}
  }
}

function toFieldErrors(value: unknown): FieldErrors | undefined {
  if (!isObject(value)) return undefined
  const entries = Object.entries(value).map(([field, error]) => {
    const messages: readonly unknown[] =
      isObject(error) && Array.isArray(error['messages']) ? error['messages'] : [error]
    const words = messages.map((message) => toWords(message) ?? '')
    return [
      field,
      isObject(error) && 'value' in error ? { messages: words, value: error['value'] } : { messages: words },
    ]
  })
  return Object.fromEntries(entries)
}

function toWords(detail: unknown): string | undefined {
  if (detail === undefined || detail === null || detail === '') return undefined
  if (typeof detail === 'string') return detail.trim()
  return Array.isArray(detail) ? detail.map((item) => toWords(item) ?? '').join('; ') : JSON.stringify(detail)
}

function isPage(headers: Headers, text: string): boolean {
  return headers.get('content-type')?.includes('html') === true || text.trimStart().startsWith('<')
}

function pickText(body: Readonly<Record<string, unknown>>, names: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = body[name]
      return typeof value === 'string' ? [[name, value]] : []
    }),
  )
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
