import { ApiError } from '../api/api-error.ts'
import type { HttpCall } from '../api/http-call.ts'

/** The bytes of bodies without a key that are held at a time, by the process. */
const maxHeldBytes = 32 * 1024 * 1024
/** Whoever calls without a key sends what it has. */
const withinMs = 5_000
let heldBytes = 0

/**
 * Reads the body of a call that carries no key. All such bodies together are bounded, and so is the time in which one must
 * arrive, so that unfinished ones hold neither memory nor the place of others.
 *
 * @throws {ApiError} 408, 413 or 503
 */
export async function readOpenBody(http: HttpCall, maxBytes: number): Promise<Uint8Array> {
  const declared = Number(http.header('content-length') ?? maxBytes)
  const claimed = Math.min(Number.isSafeInteger(declared) && declared >= 0 ? declared : maxBytes, maxBytes)
  if (heldBytes + claimed > maxHeldBytes)
    throw new ApiError(503, 'Too many calls without a key are being received. Please wait and retry.', {
      headers: { 'retry-after': '5' },
    })
  heldBytes += claimed
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new ApiError(408, 'The request did not arrive in time.')), withinMs)
  })
  try {
    return await Promise.race([http.readBody(maxBytes), late])
  } finally {
    clearTimeout(timer)
    heldBytes -= claimed
  }
}
