import { randomUUID } from 'node:crypto'
import { STATUS_CODES } from 'node:http'
import { WorkBusyError } from '@trestle/worker-pool'
import { ApiError, type ApiErrorDetails } from '../api/api-error.ts'
import type { HttpReply } from '../api/http-call.ts'
import { UnstorableValueError } from '../store/check-parameter.ts'
import { isOverload } from '../store/faults/is-overload.ts'
import { LostDatabaseError } from '../store/faults/lost-database.ts'

/** The headers of every JSON response. */
export const jsonHeaders: Readonly<Record<string, string>> = Object.freeze({
  'content-type': 'application/json; charset=utf-8',
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
})

const overloaded = 'The service is overloaded or its database is unavailable. Wait a second and retry.'
const lost =
  'The database of the service was deleted or replaced while it ran. Restore it, or restart the service; then retry.'
/** Statuses with a `retry-after` header; one second by default. */
const waitStatuses: ReadonlySet<number> = new Set([429, 503])

/** The location of an error. */
export interface ErrorPlace {
  /** The path and query of the request. */
  readonly path: string
  /** The time, in milliseconds since 1970. */
  readonly nowMs: number
}

/**
 * Returns the response for any thrown value. Status 500 contains an identifier that is also in the log, and no details
 * unless it is an `ApiError`. Overload is 503.
 *
 * @param onFault - Receives the thrown value and its identifier, for status 500.
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
  if (thrown instanceof WorkBusyError)
    return errorReply(503, `The request could not be processed: ${thrown.message}. Wait a second and retry.`, place)
  const errorId = randomUUID()
  onFault(thrown, errorId)
  if (thrown instanceof LostDatabaseError) return errorReply(503, lost, place)
  if (isOverload(thrown)) return errorReply(503, overloaded, place)
  if (thrown instanceof ApiError) {
    const { details, message } = thrown
    return errorReply(500, message, { ...details, ...place, extra: { ...details.extra, errorId } })
  }
  const message = `Internal server error. Search the log of the service for ${errorId}.`
  return errorReply(500, message, { ...place, extra: { errorId } })
}

/**
 * Returns the response for an error.
 *
 * @param details - Its details and location.
 */
export function errorReply(status: number, message: string, details: ErrorPlace & ApiErrorDetails): HttpReply {
  const { path, nowMs, errors, ctx, extra, headers } = details
  const body = {
    ...extra,
    statusCode: status,
    timestamp: new Date(nowMs).toISOString(),
    path,
    message,
    error: STATUS_CODES[status] ?? 'Error',
    ...(ctx === undefined ? {} : { ctx }),
    ...(errors === undefined && status !== 422 ? {} : { errors: errors ?? {} }),
  }
  const wait = waitStatuses.has(status) ? { 'retry-after': '1' } : {}
  return { status, headers: { ...jsonHeaders, ...wait, ...headers }, body: JSON.stringify(body) }
}
