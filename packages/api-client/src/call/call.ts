import type { ResolvedOptions } from '../config/options.ts'
import { ApiError } from '../error/error.ts'
import { parseRateLimit } from '../error/rate-limit.ts'
import type { ApiResult, CallOptions, Operation } from '../operations/operation.ts'
import { classifyFailure } from '../wire/classify.ts'
import { exchange, type WireAnswer } from '../wire/exchange.ts'
import { type AnyInput, toRequest } from '../wire/request.ts'
import { retry } from './retry.ts'

/**
 * Makes one logical call: one request, one key, as many attempts as it takes and is allowed.
 *
 * @param operation - The row of the operation.
 * @param input - Path parameters, `query` and `body`.
 * @param options - What the client is set up with, and what the caller chose for this call.
 * @throws ApiError - The call failed.
 */
export async function callApi(
  operation: Operation,
  input: AnyInput,
  options: ResolvedOptions & CallOptions,
): Promise<ApiResult<unknown>> {
  const { signal, secretKey, nowMs } = options
  const request = toRequest(operation, input, options)
  const { idempotencyKey } = request
  return await retry(
    async () => {
      const answer = await exchange(request, options, signal)
      const data = operation.givesLocation === true ? toLocation(answer) : undefined
      if (data === undefined && (answer.status < 200 || answer.status >= 300)) {
        throw classifyFailure(answer, { idempotencyKey, secretKey, nowMs })
      }
      return {
        data: data ?? toData(answer),
        status: answer.status,
        replayed: answer.headers.get('idempotency-replay') === 'true',
        rateLimit: parseRateLimit(answer.headers),
        ...(idempotencyKey === undefined ? {} : { idempotencyKey }),
      }
    },
    options,
    signal,
  )
}

function toLocation({ status, headers }: WireAnswer): { readonly location: string } | undefined {
  const location = status >= 300 && status < 400 ? headers.get('location') : null
  return location === null ? undefined : { location }
}

/** A body that is only `{ data }` is unwrapped: the API wraps most answers so, but not all. */
function toData({ status, text }: WireAnswer): unknown {
  if (text.trim() === '') return undefined
  let body: unknown
  try {
    body = JSON.parse(text)
  } catch (cause) {
    throw new ApiError('AnswerUnreadable', `The API answered ${status} with a body that is not JSON.`, {
      status,
      cause,
    })
  }
  const keys = typeof body === 'object' && body !== null ? Object.keys(body) : []
  return keys.length === 1 && keys[0] === 'data' ? Reflect.get(body as object, 'data') : body
}
