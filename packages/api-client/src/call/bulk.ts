import type { ResolvedOptions } from '../config/options.ts'
import { ApiError, type Chunk } from '../error/error.ts'
import type { ApiResult, CallOptions, Operation } from '../operations/operation.ts'
import { type AnyInput, checkKey } from '../wire/request.ts'
import { callApi } from './call.ts'

/**
 * Performs a bulk call. A list that is longer than one call may carry is split; the chunks are sent one after another,
 * each with a key of its own, and the answers are joined. The first chunk that fails ends the call.
 *
 * @param operation - A row with `bulk`.
 * @param input - The body holds the list.
 * @param options - As for any call; the caller's key becomes `<key>:<number of the chunk>` where there are several.
 * @throws ApiError - `BulkFailed` with the state of every chunk; the plain error where there is only one chunk.
 * @throws The signal's reason - The caller aborted.
 * @source Specification, "Rate limits": a bulk request takes at most 500 subscribers.
 */
export async function callBulk(
  operation: Operation & { readonly bulk: { readonly field: string; readonly max: number } },
  input: AnyInput,
  options: ResolvedOptions & CallOptions,
): Promise<ApiResult<unknown>> {
  const { field, max } = operation.bulk
  const body = input['body']
  const items: unknown =
    typeof body === 'object' && body !== null && Object.hasOwn(body, field) && Reflect.get(body, field)
  if (!Array.isArray(items)) throw new ApiError('RequestInvalid', `body.${field} must be a list.`)
  if (items.length <= max) return await callApi(operation, input, options)
  const chunks = toChunks(items.length, max, options)
  const results: ApiResult<unknown>[] = []
  for (const [index, { from, count, idempotencyKey }] of chunks.entries()) {
    const part = { ...input, body: { ...(body as object), [field]: items.slice(from, from + count) } }
    try {
      const result = await callApi(operation, part, { ...options, idempotencyKey })
      results.push(result)
      chunks[index] = { ...chunkAt(chunks, index), state: 'done', data: result.data }
    } catch (cause) {
      // An abort ends every call with the caller's own reason.
      if (options.signal?.aborted) throw cause
      chunks[index] = { ...chunkAt(chunks, index), state: 'failed' }
      throw bulkFailed(chunks, cause)
    }
  }
  return join(results)
}

function toChunks(length: number, max: number, options: ResolvedOptions & CallOptions): Chunk[] {
  const key = options.idempotencyKey
  // All keys are checked before the first chunk is sent.
  return Array.from({ length: Math.ceil(length / max) }, (_none, index) => ({
    index,
    from: index * max,
    count: Math.min(max, length - index * max),
    idempotencyKey: checkKey(key === undefined ? options.createKey() : `${key}:${index}`),
    state: 'unsent',
  }))
}

function chunkAt(chunks: readonly Chunk[], index: number): Chunk {
  const chunk = chunks[index]
  if (chunk === undefined) throw new RangeError(`There is no chunk ${index}.`)
  return chunk
}

function bulkFailed(chunks: readonly Chunk[], cause: unknown): ApiError {
  const done = chunks.filter(({ state }) => state === 'done').length
  const reason = cause instanceof Error ? cause.message : String(cause)
  const status = cause instanceof ApiError && cause.status !== undefined ? { status: cause.status } : {}
  const message = `${done} of ${chunks.length} chunks went through, then: ${reason}`
  return new ApiError('BulkFailed', message, { ...status, chunks, cause })
}

function join(results: readonly ApiResult<unknown>[]): ApiResult<unknown> {
  const [first] = results
  const last = results.at(-1)
  if (first === undefined || last === undefined) throw new RangeError('There is no chunk.')
  const data = results.map((result) => result.data)
  return {
    ...first,
    rateLimit: last.rateLimit,
    replayed: results.every(({ replayed }) => replayed),
    data: data.every(Array.isArray) ? data.flat() : joinLists(data),
  }
}

/** Joins answers that are objects of lists, list by list. */
function joinLists(parts: readonly unknown[]): Readonly<Record<string, unknown>> {
  // A map, because an answer may have a member named like one of Object.prototype.
  const joined = new Map<string, unknown>()
  for (const part of parts) {
    for (const [name, value] of Object.entries(part ?? {})) {
      const before = joined.get(name)
      joined.set(name, Array.isArray(before) && Array.isArray(value) ? [...before, ...value] : value)
    }
  }
  return Object.fromEntries(joined)
}
