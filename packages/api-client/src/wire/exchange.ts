import type { ResolvedOptions } from '../config/options.ts'
import { ApiError } from '../error/error.ts'
import type { ApiRequest } from './request.ts'

/** An answer that has been read. */
export interface WireAnswer {
  /** HTTP status; 0 where the runtime hides a redirect. */
  readonly status: number
  /** The headers. */
  readonly headers: Headers
  /** The body as text. */
  readonly text: string
}

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
  const { timeoutMs, startTimer } = options
  const rest = request.idempotencyKey === undefined ? {} : { idempotencyKey: request.idempotencyKey }
  signal?.throwIfAborted()
  const controller = new AbortController()
  const timedOut = new ApiError('TimedOut', `The API did not answer within ${timeoutMs} ms.`, rest)
  const onAbort = (): void => controller.abort(signal?.reason)
  signal?.addEventListener('abort', onAbort, { once: true })
  const stopTimer = startTimer(timeoutMs, () => controller.abort(timedOut))
  try {
    return await untilAborted(fetchAnswer(request, options, controller.signal), controller.signal)
  } catch (error) {
    if (controller.signal.aborted) throw controller.signal.reason
    if (error instanceof ApiError) throw error
    throw new ApiError('ConnectionFailed', 'The API could not be reached, or the connection broke.', {
      ...rest,
      cause: error,
    })
  } finally {
    stopTimer()
    signal?.removeEventListener('abort', onAbort)
    // Ends what may still be on its way: an answer that is too large, or a fetch that does not listen.
    controller.abort()
  }
}

async function fetchAnswer(request: ApiRequest, options: ResolvedOptions, signal: AbortSignal): Promise<WireAnswer> {
  const { method, url, headers, body } = request
  const init: RequestInit = { method, headers: { ...headers }, redirect: 'manual', signal }
  const response = await options.fetch(url, body === undefined ? init : { ...init, body })
  return { status: response.status, headers: response.headers, text: await readText(response, options.maxAnswerBytes) }
}

async function readText(response: Response, maxBytes: number): Promise<string> {
  const reader = response.body?.getReader()
  const decoder = new TextDecoder()
  let text = ''
  let size = 0
  for (let part = await reader?.read(); part !== undefined && !part.done; part = await reader?.read()) {
    size += part.value.byteLength
    if (size > maxBytes) throw new ApiError('AnswerTooLarge', `The answer is larger than ${maxBytes} bytes.`)
    text += decoder.decode(part.value, { stream: true })
  }
  return text + decoder.decode()
}

/** Bounds the wait also where `fetch` does not listen to its signal. */
function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
    work.then(resolve, reject)
  })
}
