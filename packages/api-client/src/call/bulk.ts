import type { ResolvedOptions } from '../config/options.ts'
import { ApiError, type Chunk } from '../error/error.ts'
import { type Redact, redactValue } from '../error/redact.ts'
import type { ApiResult, CallOptions, Operation } from '../operations/operation.ts'
import { type AnyInput, checkKey, toRequest } from '../wire/request.ts'
import { isObject } from '../wire/to-text.ts'
import { callApi } from './call.ts'

/**
 * Performs a bulk call. A list longer than one call may contain is split into chunks, which are sent in sequence with
 * their own keys. The responses are joined. The call ends with the first failed chunk.
 *
 * @param operation - A row with `bulk`.
 * @param options - As for any call. With several chunks, the caller's key becomes `<key>:<chunk number>`.
 * @throws ApiError - `BulkFailed` with the state of every chunk, or the plain error if there is only one chunk.
 * @throws The signal's reason - The caller aborted.
 * @source service-api.md#rate-limits
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
  const toPart = ({ from, count }: Chunk): AnyInput => ({
    ...input,
    body: { ...(body as object), [field]: items.slice(from, from + count) },
  })
  // Validate all chunks before sending the first, so that invalid input has no partial effect.
  for (const chunk of chunks) {
    try {
      toRequest(operation, toPart(chunk), { ...options, idempotencyKey: chunk.idempotencyKey })
    } catch (error) {
      throw withStart(error, chunk)
    }
  }
  const results: ApiResult<unknown>[] = []
  for (const [index, chunk] of chunks.entries()) {
    const part = toPart(chunk)
    const { idempotencyKey } = chunk
    try {
      const result = await callApi(operation, part, { ...options, idempotencyKey })
      results.push(result)
      chunks[index] = { ...chunkAt(chunks, index), state: 'done', data: result.data }
    } catch (cause) {
      // An abort always rejects the call with the caller's reason.
      if (options.signal?.aborted) throw cause
      chunks[index] = { ...chunkAt(chunks, index), state: 'failed' }
      throw bulkFailed(chunks, cause, options.redact)
    }
  }
  const data = joinData(results.map((result) => result.data))
  if (data === undefined) throw notJoined(chunks, options.redact)
  return { ...join(results), data }
}

/** Adds the position of a chunk, because the path in the message counts from there. */
function withStart(error: unknown, { from }: Chunk): unknown {
  if (!(error instanceof ApiError) || from === 0) return error
  return new ApiError(error.code, `${error.message} This chunk starts with item ${from} of the list.`, { cause: error })
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
  if (chunk === undefined) throw new RangeError(`Chunk ${index} does not exist.`)
  return chunk
}

function bulkFailed(chunks: readonly Chunk[], cause: unknown, redact: Redact): ApiError {
  const done = chunks.filter(({ state }) => state === 'done').length
  const reason = cause instanceof Error ? cause.message : String(cause)
  const status = cause instanceof ApiError && cause.status !== undefined ? { status: cause.status } : {}
  const message = `${done} of ${chunks.length} chunks succeeded, then: ${reason}`
  return new ApiError('BulkFailed', message, { ...status, chunks: toShown(chunks, redact), cause })
}

function notJoined(chunks: readonly Chunk[], redact: Redact): ApiError {
  const message = `All ${chunks.length} chunks succeeded, but their responses have different shapes: "chunks" lists each of them.`
  return new ApiError('BulkFailed', message, { chunks: toShown(chunks, redact) })
}

/** Removes the secret from the stored responses of earlier chunks. */
function toShown(chunks: readonly Chunk[], redact: Redact): readonly Chunk[] {
  return chunks.map((chunk) => ('data' in chunk ? { ...chunk, data: redactValue(chunk.data, redact) } : chunk))
}

function join(results: readonly ApiResult<unknown>[]): ApiResult<unknown> {
  const [first] = results
  const last = results.at(-1)
  if (first === undefined || last === undefined) throw new RangeError('No chunk was sent.')
  return { ...first, rateLimit: last.rateLimit, replayed: results.every(({ replayed }) => replayed) }
}

/** Joins the responses of all chunks; returns `undefined` if their shapes differ, because data would be lost. */
function joinData(parts: readonly unknown[]): unknown {
  if (parts.every(Array.isArray)) return parts.flat()
  return parts.every(isObject) ? joinLists(parts) : undefined
}

/** Joins responses that are objects of lists, list by list; other members come from the last response. */
function joinLists(parts: readonly Readonly<Record<string, unknown>>[]): object | undefined {
  // A Map, because a response may have a member named like one of Object.prototype.
  const joined = new Map<string, unknown>()
  for (const part of parts) {
    for (const [name, value] of Object.entries(part)) {
      const before = joined.get(name)
      if (joined.has(name) && Array.isArray(before) !== Array.isArray(value)) return undefined
      joined.set(name, Array.isArray(before) && Array.isArray(value) ? [...before, ...value] : value)
    }
  }
  return Object.fromEntries(joined)
}
