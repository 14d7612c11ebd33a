import type { ResolvedOptions } from '../config/options.ts'
import { isReplayed, parseRateLimit } from '../error/rate-limit.ts'
import type { ApiResult, CallOptions, Operation } from '../operations/operation.ts'
import { classifyFailure, type FailureContext } from '../wire/classify.ts'
import { exchange, type WireAnswer } from '../wire/exchange.ts'
import { readSuccess } from '../wire/read-success.ts'
import { type AnyInput, toRequest } from '../wire/request.ts'
import { retry } from './retry.ts'

/**
 * Performs one logical call: one request and one key, with as many attempts as needed and allowed.
 *
 * @param input - Path parameters, `query` and `body`.
 * @param options - The options of the client and of this call.
 * @throws ApiError - The call failed.
 * @throws The signal's reason - The caller aborted.
 */
export async function callApi(
  operation: Operation,
  input: AnyInput,
  options: ResolvedOptions & CallOptions,
): Promise<ApiResult<unknown>> {
  const { signal, redact, nowMs } = options
  const request = toRequest(operation, input, options)
  const { idempotencyKey } = request
  const context = { idempotencyKey, redact, nowMs }
  return await retry(
    async () => {
      const answer = await exchange(request, options, signal)
      return {
        data: toData(operation, answer, context),
        status: answer.status,
        replayed: isReplayed(answer.headers),
        rateLimit: parseRateLimit(answer.headers),
        ...(idempotencyKey === undefined ? {} : { idempotencyKey }),
      }
    },
    options,
    signal,
  )
}

function toData(operation: Operation, answer: WireAnswer, context: FailureContext): unknown {
  const { status, headers, text } = answer
  const isLocation = operation.answer === 'location'
  const location = isLocation && status >= 300 && status < 400 ? headers.get('location') : null
  if (location !== null) return { location }
  if (status < 200 || status >= 300) throw classifyFailure(answer, context)
  const isPage = isLocation && !/json/i.test(headers.get('content-type') ?? '')
  return isPage ? { body: text } : readSuccess(operation, answer, context)
}
