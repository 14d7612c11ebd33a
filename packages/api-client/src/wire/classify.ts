import { ApiError, type ApiErrorCode, type ApiErrorRest } from '../error/error.ts'
import { isReplayed, parseRateLimit, parseRetryAfter } from '../error/rate-limit.ts'
import { type Redact, redactValue } from '../error/redact.ts'
import type { WireAnswer } from './exchange.ts'
import { toFieldErrors } from './field-errors.ts'
import { parseJson } from './parse-json.ts'
import { toStatusCode } from './status-codes.ts'
import { isObject, toText } from './to-text.ts'

/** The details of a call that are needed to classify its failure. */
export interface FailureContext {
  /** The key the request was sent with. */
  readonly idempotencyKey: string | undefined
  /** Removes the secret from every text, in case the API repeats it. */
  readonly redact: Redact
  /** The clock, milliseconds since 1970. */
  readonly nowMs: () => number
}

const maxMessageLength = 1000
const maxTextLength = 65_536

/**
 * Returns the error for an unsuccessful response. The body may be an ErrorDto, plain text, a page or empty.
 *
 * @source service-api.md#errors-of-the-api, service-api.md#idempotency
 */
export function classifyFailure(answer: WireAnswer, context: FailureContext): ApiError {
  const { status, headers } = answer
  const { idempotencyKey, redact } = context
  if (status === 0 || (status >= 300 && status < 400)) return redirected(answer, context)
  const { body, isBodyCut } = readFailure(answer, redact)
  const fields = isObject(body) ? body : {}
  const errors = toFieldErrors(fields['errors'])
  const retryAfterMs = parseRetryAfter(headers.get('retry-after'), context.nowMs())
  const detail = Object.hasOwn(fields, 'message') ? fields['message'] : toTextDetail(headers, body)
  const byStatus = toStatusCode(status)
  const rest: ApiErrorRest = {
    status,
    rateLimit: redactValue(parseRateLimit(headers), redact) as ReturnType<typeof parseRateLimit>,
    replayed: isReplayed(headers),
    ...(body === undefined ? {} : { body }),
    ...(isBodyCut ? { isBodyCut } : {}),
    ...(detail === undefined || detail === '' ? {} : { detail }),
    ...(errors === undefined && status !== 422 ? {} : { errors: errors ?? {} }),
    ...pickText(fields, ['errorId', 'timestamp', 'path']),
    ...(isObject(fields['ctx']) ? { ctx: fields['ctx'] } : {}),
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
    ...(idempotencyKey === undefined ? {} : { idempotencyKey }),
  }
  const words = (isBodyCut ? undefined : toText(detail)) ?? byStatus.message
  return new ApiError(toIdempotencyCode(words, rest) ?? byStatus.code, clip(words), rest)
}

/** Returns the body to show: parsed if it is JSON of a reasonable size, otherwise the start of its text. */
function readFailure({ text, isCut }: WireAnswer, redact: Redact): { body: unknown; isBodyCut: boolean } {
  if (text.trim() === '') return { body: undefined, isBodyCut: isCut }
  const parsed = isCut ? undefined : parseJson(text)
  if (parsed !== undefined && 'value' in parsed) return { body: redactValue(parsed.value, redact), isBodyCut: false }
  // Truncated text may end inside the key: a limit one character shorter removes that part.
  const isBodyCut = isCut || text.length > maxTextLength
  return { body: redact(text, isCut ? Math.min(maxTextLength, text.length - 1) : maxTextLength), isBodyCut }
}

function toTextDetail(headers: Headers, body: unknown): unknown {
  if (typeof body !== 'string') return undefined
  const isPage = headers.get('content-type')?.includes('html') === true || body.trimStart().startsWith('<')
  return isPage ? undefined : clip(body)
}

/**
 * Distinguishes the two idempotency key errors from a conflict or validation error with the same status: they name the
 * key and the problem, and have no fields.
 */
function toIdempotencyCode(words: string, rest: ApiErrorRest): ApiErrorCode | undefined {
  const { status, idempotencyKey, errors = {} } = rest
  const text = words.slice(0, maxMessageLength)
  if (idempotencyKey === undefined || !text.includes(idempotencyKey) || Object.keys(errors).length > 0) return undefined
  const about = text.replaceAll(idempotencyKey, ' ')
  if (status === 409 && /\bprocess(?:ed|ing)\b/i.test(about)) return 'IdempotencyInProgress'
  const isReuse =
    /\bre-?us(?:ed|ing)\b/i.test(about) && /\b(?:different|another)\b/i.test(about) && /\bbody\b/i.test(about)
  return status === 422 && isReuse ? 'IdempotencyKeyReused' : undefined
}

function redirected({ status, headers }: WireAnswer, { idempotencyKey, redact }: FailureContext): ApiError {
  const location = headers.get('location')
  return new ApiError('Redirected', 'The API answered with a redirect, which is not followed: check apiUrl.', {
    status,
    ...(location === null ? {} : { location: redact(location, maxMessageLength) }),
    ...(idempotencyKey === undefined ? {} : { idempotencyKey }),
  })
}

function pickText(body: Readonly<Record<string, unknown>>, names: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = Object.hasOwn(body, name) ? body[name] : undefined
      return typeof value === 'string' ? [[name, clip(value)]] : []
    }),
  )
}

function clip(text: string): string {
  return text.length > maxMessageLength ? `${text.slice(0, maxMessageLength - 1)}…` : text
}
