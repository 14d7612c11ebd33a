import type { ResolvedOptions } from '../config/options.ts'
import { ApiError } from '../error/error.ts'
import type { ApiResult, CallOptions, Operation } from '../operations/operation.ts'
import type { AnyInput } from '../wire/request.ts'
import { callBulk } from './bulk.ts'
import { callApi } from './call.ts'
import { checkObject } from './check-object.ts'
import { each } from './each.ts'

/** An untyped operation function; lists also have `each`. */
export type AnyCall = (input?: AnyInput, options?: CallOptions) => Promise<ApiResult<unknown>>

/** Creates the function of an operation. */
export function createCall(operation: Operation, resolved: ResolvedOptions): AnyCall {
  const { bulk, paging } = operation
  const call: AnyCall = async (input = {}, options = {}) => {
    try {
      checkObject('input', input)
      const all = { ...resolved, ...pickOptions(options) }
      return await (bulk === undefined ? callApi(operation, input, all) : callBulk({ ...operation, bulk }, input, all))
    } catch (error) {
      throw named(error, operation, options)
    }
  }
  if (paging === undefined) return call
  return Object.assign(call, {
    async *each(input: AnyInput = {}, options: CallOptions = {}) {
      try {
        yield* each(call, { paging, items: operation.items ?? 'data' }, { input, options })
      } catch (error) {
        throw named(error, operation, options)
      }
    },
  })
}

/**
 * Adds the operation name to an error. The reason of the caller's signal is never changed, even if it is an ApiError.
 */
function named(error: unknown, { method, path }: Operation, options: CallOptions): unknown {
  if (!(error instanceof ApiError) || error.operation !== undefined) return error
  if (options?.signal?.aborted && error === options.signal.reason) return error
  return Object.assign(error, { operation: `${method} ${path}` })
}

/** Picks known options only, so that nothing else can change where the secret is sent. */
function pickOptions(options: CallOptions): CallOptions {
  checkObject('options', options)
  const { idempotencyKey, signal } = options
  if (signal !== undefined && !isSignal(signal)) {
    throw new ApiError('RequestInvalid', 'signal must be an AbortSignal.')
  }
  return {
    ...(idempotencyKey === undefined ? {} : { idempotencyKey }),
    ...(signal === undefined ? {} : { signal }),
  }
}

function isSignal(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  // Checks only the members that are used: some AbortSignal polyfills lack throwIfAborted.
  const methods = ['addEventListener', 'throwIfAborted']
  return (
    typeof Reflect.get(value, 'aborted') === 'boolean' &&
    methods.every((name) => typeof Reflect.get(value, name) === 'function')
  )
}
