import { ApiError } from '../api/api-error.ts'
import type { HttpCall } from '../api/http-call.ts'

/** The total size of bodies without a key that the process holds at a time, in bytes. */
const maxHeldBytes = 32 * 1024 * 1024
/** The maximum time to receive the body of a call without a key, in milliseconds. */
const withinMs = 5_000
let heldBytes = 0

/**
 * Reads the body of a call without a key. Total size and time are limited, so that unfinished bodies block neither
 * memory nor other callers.
 *
 * @throws {ApiError} 408, 413 or 503
 */
export async function readOpenBody(http: HttpCall, maxBytes: number): Promise<Uint8Array> {
  const declared = Number(http.header('content-length') ?? maxBytes)
  const claimed = Math.min(Number.isSafeInteger(declared) && declared >= 0 ? declared : maxBytes, maxBytes)
  if (heldBytes + claimed > maxHeldBytes)
    throw new ApiError(503, 'Too many calls without a key are being received. Wait and retry.', {
      headers: { 'retry-after': '5' },
    })
  heldBytes += claimed
  const late = new AbortController()
  const timer = setTimeout(() => late.abort(new ApiError(408, 'The request did not arrive in time.')), withinMs)
  try {
    return await http.readBody(maxBytes, late.signal)
  } finally {
    clearTimeout(timer)
    heldBytes -= claimed
  }
}
