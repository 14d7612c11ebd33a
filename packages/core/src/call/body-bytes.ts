import { CodedError } from '@trestle/protocol'

/**
 * The failure of a body over the limit.
 *
 * @param limit - In bytes.
 */
export function tooLarge(limit: number): CodedError {
  return new CodedError('PayloadTooLarge', `The body is larger than ${limit} bytes, the limit of this bridge.`, {
    data: { limit },
  })
}

/**
 * Joins chunks as bytes, so that a character split over two of them survives.
 *
 * @param chunks - In order.
 * @param size - Their length together.
 */
export function joinChunks(chunks: readonly Uint8Array[], size: number): Uint8Array {
  const [first] = chunks
  if (first && chunks.length === 1) return first
  const bytes = new Uint8Array(size)
  let at = 0
  for (const chunk of chunks) {
    bytes.set(chunk, at)
    at += chunk.byteLength
  }
  return bytes
}
