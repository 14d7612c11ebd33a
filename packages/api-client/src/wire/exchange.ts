import { onAbort } from '../config/on-abort.ts'
import type { ResolvedOptions } from '../config/options.ts'
import { ApiError } from '../error/error.ts'
import { toSafeCause } from '../error/safe-cause.ts'
import { type BodyText, readBody } from './read-body.ts'
import type { ApiRequest } from './request.ts'
import { isObject } from './to-text.ts'

/** A response that has been read. */
export interface WireAnswer extends BodyText {
  /** HTTP status; 0 if the runtime hides a redirect. */
  readonly status: number
  readonly headers: Headers
}

const maxFailureBytes = 256 * 1024

/**
 * Sends one request and reads the response, within the time and size limits. Redirects are not followed.
 *
 * @param options - `fetch`, limits and timer.
 * @throws ApiError - `TimedOut`, `AnswerTooLarge`, or `ConnectionFailed` with the cause.
 * @throws The signal's reason - The caller aborted.
 */
export async function exchange(
  request: ApiRequest,
  options: ResolvedOptions,
  signal: AbortSignal | undefined,
): Promise<WireAnswer> {
  const { timeoutMs, startTimer, redact } = options
  const rest = request.idempotencyKey === undefined ? {} : { idempotencyKey: request.idempotencyKey }
  signal?.throwIfAborted()
  const controller = new AbortController()
  const timedOut = new ApiError('TimedOut', `The API did not answer within ${timeoutMs} ms.`, rest)
  const forget = signal && onAbort(signal, () => controller.abort(signal.reason))
  const stopTimer = startTimer(timeoutMs, () => controller.abort(timedOut))
  try {
    return await untilAborted(fetchAnswer(request, options, controller.signal), controller.signal)
  } catch (error) {
    if (controller.signal.aborted) throw controller.signal.reason
    if (error instanceof ApiError) throw Object.assign(error, rest)
    const cause = toSafeCause(error, redact)
    const code = codeOf(cause)
    const detail = code === undefined ? '' : ` (${code})`
    throw new ApiError('ConnectionFailed', `The API could not be reached, or the connection broke${detail}.`, {
      ...rest,
      cause,
    })
  } finally {
    stopTimer()
    forget?.()
    // Stops requests that may still be in progress: an oversized response, or a fetch that ignores its signal.
    controller.abort()
  }
}

/** Returns the code of the innermost error: `fetch` wraps the error of the connection. */
function codeOf(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined
  const { code } = error as { readonly code?: unknown }
  return codeOf(error.cause) ?? (typeof code === 'string' ? code : undefined)
}

async function fetchAnswer(request: ApiRequest, options: ResolvedOptions, signal: AbortSignal): Promise<WireAnswer> {
  const { method, url, headers, body } = request
  const init: RequestInit = { method, headers: { ...headers }, redirect: 'manual', signal }
  const response: unknown = await options.fetch(url, body === undefined ? init : { ...init, body })
  checkResponse(response)
  const { status } = response
  const isSuccess = status >= 200 && status < 300
  const { maxAnswerBytes } = options
  // The status of a failed call matters more than its body.
  const limits = {
    maxBytes: isSuccess ? maxAnswerBytes : Math.min(maxAnswerBytes, maxFailureBytes),
    mayCut: !isSuccess,
    signal,
  }
  return { status, headers: response.headers, ...(await readBody(response, limits)) }
}

/**
 * Checks the result of the option `fetch`. An unexpected value may belong to a call that took effect, so it is not
 * treated as a connection error and not retried.
 */
function checkResponse(value: unknown): asserts value is Response {
  if (isObject(value)) {
    const { status, headers, body } = value
    const hasHeaders = isObject(headers) && typeof headers['get'] === 'function'
    const hasBody = body === null || body === undefined || (isObject(body) && typeof body['getReader'] === 'function')
    if (Number.isInteger(status) && hasHeaders && hasBody) return
  }
  throw new ApiError(
    'AnswerUnreadable',
    'The option fetch must return a Response with a byte stream as its body. The call may have taken effect.',
  )
}

/** Bounds the wait even if `fetch` ignores its signal. */
function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
    work.then(resolve, reject)
  })
}
