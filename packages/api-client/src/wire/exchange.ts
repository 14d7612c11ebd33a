import { onAbort } from '../config/on-abort.ts'
import type { ResolvedOptions } from '../config/options.ts'
import { ApiError } from '../error/error.ts'
import { toSafeCause } from '../error/safe-cause.ts'
import { type BodyText, readBody } from './read-body.ts'
import type { ApiRequest } from './request.ts'
import { isObject } from './words.ts'

/** An answer that has been read. */
export interface WireAnswer extends BodyText {
  /** HTTP status; 0 where the runtime hides a redirect. */
  readonly status: number
  /** The headers. */
  readonly headers: Headers
}

const maxFailureBytes = 256 * 1024

/**
 * Sends one request and reads the answer, within the time and the size that are allowed. Redirects are not followed.
 *
 * @param request - The request.
 * @param options - `fetch`, limits and timer.
 * @param signal - The caller's.
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
    throw new ApiError('ConnectionFailed', 'The API could not be reached, or the connection broke.', {
      ...rest,
      cause: toSafeCause(error, redact),
    })
  } finally {
    stopTimer()
    forget?.()
    // Ends what may still be on its way: an answer that is too large, or a fetch that does not listen.
    controller.abort()
  }
}

async function fetchAnswer(request: ApiRequest, options: ResolvedOptions, signal: AbortSignal): Promise<WireAnswer> {
  const { method, url, headers, body } = request
  const init: RequestInit = { method, headers: { ...headers }, redirect: 'manual', signal }
  const response: unknown = await options.fetch(url, body === undefined ? init : { ...init, body })
  checkResponse(response)
  const { status } = response
  const isSuccess = status >= 200 && status < 300
  const { maxAnswerBytes } = options
  // The status of a failure matters more than its body.
  const limits = {
    maxBytes: isSuccess ? maxAnswerBytes : Math.min(maxAnswerBytes, maxFailureBytes),
    mayCut: !isSuccess,
    signal,
  }
  return { status, headers: response.headers, ...(await readBody(response, limits)) }
}

/**
 * Checks what the option `fetch` answers. Something else may be the answer of a call that took effect, so it is neither
 * taken for a lost connection nor asked for again.
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

/** Bounds the wait also where `fetch` does not listen to its signal. */
function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
    work.then(resolve, reject)
  })
}
