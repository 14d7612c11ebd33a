/** Why reading a body was stopped. */
export type BodyLimit = 'bytes' | 'chunks'

/** A body buffer that grows by copying: memory depends on size, not on the number of chunks. */
export interface BodyBuffer {
  /** Adds a chunk, which must not change afterwards. Returns the exceeded limit; the content is then dropped for good. */
  add(chunk: Uint8Array): BodyLimit | undefined
  /** Returns the bytes so far. */
  toBytes(): Uint8Array
}

/** The number of chunks accepted at any size; beyond it, chunks must have {@link minChunkBytes} on average. */
const freeChunks = 10_000
const minChunkBytes = 32
const firstCapacity = 16 * 1024

/**
 * Creates an empty buffer for a body. Each chunk that is kept separately would need hundreds of bytes, so that a body of
 * tiny chunks would exhaust the memory.
 *
 * @param maxBytes - The maximum size.
 * @example
 * const buffer = createBodyBuffer(1024)
 * request.on('data', (chunk) => buffer.add(chunk) && request.destroy())
 */
export function createBodyBuffer(maxBytes: number): BodyBuffer {
  let held: Uint8Array = new Uint8Array(0)
  let size = 0
  let chunks = 0
  let exceeded: BodyLimit | undefined
  const giveUp = (limit: BodyLimit): BodyLimit => {
    held = new Uint8Array(0)
    size = 0
    exceeded = limit
    return limit
  }
  return {
    add(chunk) {
      if (exceeded) return exceeded
      const next = size + chunk.length
      chunks++
      if (next > maxBytes) return giveUp('bytes')
      if (chunks > freeChunks + next / minChunkBytes) return giveUp('chunks')
      if (size === 0) {
        // Most bodies have one chunk, which needs no copy.
        held = chunk
      } else {
        if (next > held.length) {
          const grown = new Uint8Array(Math.min(maxBytes, Math.max(next, held.length * 2, firstCapacity)))
          grown.set(held.subarray(0, size))
          held = grown
        }
        held.set(chunk, size)
      }
      size = next
      return undefined
    },
    toBytes: () => held.subarray(0, size),
  }
}
