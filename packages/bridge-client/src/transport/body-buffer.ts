/** Why reading a body was stopped. */
export type BodyLimit = 'bytes' | 'chunks'

/** A body buffer that grows by copying: memory depends on size, not on the number of chunks. */
export interface BodyBuffer {
  /** Copies a chunk; returns the exceeded limit, and then drops the content. */
  add(chunk: Uint8Array): BodyLimit | undefined
  /** Returns the bytes so far. */
  toBytes(): Uint8Array
}

/** The number of chunks accepted at any size; beyond it, chunks must have {@link minChunkBytes} on average. */
const freeChunks = 10_000
const minChunkBytes = 32
const firstCapacity = 16 * 1024

/** Creates an empty body. */
export function createBodyBuffer(maxBytes: number): BodyBuffer {
  let held = new Uint8Array(0)
  let size = 0
  let chunks = 0
  const giveUp = (limit: BodyLimit): BodyLimit => {
    held = new Uint8Array(0)
    size = 0
    return limit
  }
  return {
    add(chunk) {
      const next = size + chunk.length
      chunks++
      if (next > maxBytes) return giveUp('bytes')
      if (chunks > freeChunks + next / minChunkBytes) return giveUp('chunks')
      if (next > held.length) {
        const grown = new Uint8Array(Math.min(maxBytes, Math.max(next, held.length * 2, firstCapacity)))
        grown.set(held.subarray(0, size))
        held = grown
      }
      held.set(chunk, size)
      size = next
      return undefined
    },
    toBytes: () => held.subarray(0, size),
  }
}
