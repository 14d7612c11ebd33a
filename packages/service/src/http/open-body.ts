import { ApiError } from '../api/api-error.ts'
import type { HttpCall } from '../api/http-call.ts'

/** The maximum time to receive the body of a call without a key, in milliseconds. */
const withinMs = 5_000
/** Operations with a lower limit, such as signing in, are not blocked by those with larger bodies, such as reports. */
const smallBytes = 64 * 1024

/** Bodies without a key that the process is receiving. */
interface Held {
  /** Their total size so far, in bytes. */
  bytes: number
  readonly maxBytes: number
}

const small: Held = { bytes: 0, maxBytes: 8 * 1024 * 1024 }
const large: Held = { bytes: 0, maxBytes: 32 * 1024 * 1024 }

/**
 * Reads the body of a call without a key. Total size and time are limited, so that unfinished bodies block neither
 * memory nor other callers. Only received bytes count, because a caller could declare any size.
 *
 * @throws {ApiError} 408, 413 or 503
 */
export async function readOpenBody(http: HttpCall, maxBytes: number): Promise<Uint8Array> {
  const held = maxBytes <= smallBytes ? small : large
  const stopping = new AbortController()
  const timer = setTimeout(() => stopping.abort(new ApiError(408, 'The request did not arrive in time.')), withinMs)
  let own = 0
  const onBytes = (count: number): void => {
    own += count
    held.bytes += count
    if (held.bytes > held.maxBytes) stopping.abort(tooMany())
  }
  try {
    return await http.readBody(maxBytes, { signal: stopping.signal, onBytes })
  } finally {
    clearTimeout(timer)
    held.bytes -= own
  }
}

const tooMany = (): ApiError =>
  new ApiError(503, 'Too many calls without a key are being received. Wait and retry.', {
    headers: { 'retry-after': '5' },
  })
