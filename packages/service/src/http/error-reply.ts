import { randomUUID } from 'node:crypto'
import { ApiError, type ApiErrorDetails } from '../api/api-error.ts'
import type { HttpReply } from '../api/http-call.ts'
import { UnstorableValueError } from '../store/check-parameter.ts'
import { isOverload } from '../store/faults/is-overload.ts'
import { LostDatabaseError } from '../store/faults/lost-database.ts'

/** The names of statuses, in the field `error` of an error's body. */
const titles: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  405: 'Method Not Allowed',
  408: 'Request Timeout',
  409: 'Conflict',
  413: 'Payload Too Large',
  414: 'URI Too Long',
  415: 'Unsupported Media Type',
  422: 'Unprocessable Entity',
  429: 'Too Many Requests',
  500: 'Internal Server Error',
  503: 'Service Unavailable',
}

/** The headers of every JSON answer. */
export const jsonHeaders: Readonly<Record<string, string>> = Object.freeze({
  'content-type': 'application/json; charset=utf-8',
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
})

const overloaded = 'The service is overloaded or its database is away. Please wait a second and retry.'
const lost = 'The database of the service was deleted or replaced while it ran. Put it back, or start the service anew.'
/** These say after how many seconds to try again: one, where the error does not know better. */
const waitStatuses: ReadonlySet<number> = new Set([429, 503])

/** Where an error happened. */
export interface ErrorPlace {
  /** The path and query of the request. */
  readonly path: string
  /** The time, milliseconds since 1970. */
  readonly nowMs: number
}

/**
 * Returns the answer for anything that was thrown. Status 500 has an identifier that is in the log too; what is not an
 * `ApiError` tells nothing else. Where the database was at its limit it is 503.
 *
 * @param onFault - Receives what was thrown and its identifier, for status 500.
 * @source service-api.md#errors-of-the-api
 */
export function toErrorReply(
  thrown: unknown,
  place: ErrorPlace,
  onFault: (thrown: unknown, errorId: string) => void,
): HttpReply {
  if (thrown instanceof ApiError && thrown.status !== 500)
    return errorReply(thrown.status, thrown.message, { ...thrown.details, ...place })
  if (thrown instanceof UnstorableValueError)
    return errorReply(422, thrown.message, { ...place, errors: { general: { messages: [thrown.message] } } })
  const errorId = randomUUID()
  onFault(thrown, errorId)
  if (thrown instanceof LostDatabaseError) return errorReply(503, lost, place)
  if (isOverload(thrown)) return errorReply(503, overloaded, place)
  if (thrown instanceof ApiError) {
    const { details, message } = thrown
    return errorReply(500, message, { ...details, ...place, extra: { ...details.extra, errorId } })
  }
  const message = `Internal server error; look for ${errorId} in the log of the service.`
  return errorReply(500, message, { ...place, extra: { errorId } })
}

/**
 * Returns the answer of an error.
 *
 * @param details - What it carries, and where it happened.
 */
export function errorReply(status: number, message: string, details: ErrorPlace & ApiErrorDetails): HttpReply {
  const { path, nowMs, errors, ctx, extra, headers } = details
  const body = {
    ...extra,
    statusCode: status,
    timestamp: new Date(nowMs).toISOString(),
    path,
    message,
    error: titles[status] ?? 'Error',
    ...(ctx === undefined ? {} : { ctx }),
    ...(errors === undefined && status !== 422 ? {} : { errors: errors ?? {} }),
  }
  const wait = waitStatuses.has(status) ? { 'retry-after': '1' } : {}
  return { status, headers: { ...jsonHeaders, ...wait, ...headers }, body: JSON.stringify(body) }
}
