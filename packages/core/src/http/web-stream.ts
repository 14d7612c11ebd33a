import { joinChunks, tooLarge } from '../call/body-bytes.ts'

// A caller that has its answer and goes on sending is cut off after this time.
const lingerMs = 1000

/**
 * Reads a web-standard stream.
 *
 * @param stream - The stream; `null` stands for an empty one.
 * @param maxBytes - Where to stop.
 * @throws CodedError - `PayloadTooLarge`.
 * @throws TypeError - It holds something else than bytes.
 */
export async function readWebStream(stream: ReadableStream<Uint8Array> | null, maxBytes: number): Promise<Uint8Array> {
  if (!stream) return new Uint8Array(0)
  const chunks: Uint8Array[] = []
  let size = 0
  const reader = stream.getReader()
  for (;;) {
    const { done, value } = await reader.read()
    if (done) break
    // A stream of the app's own making may hold anything.
    if (!(value instanceof Uint8Array)) throw new TypeError('The body is no stream of bytes.')
    size += value.byteLength
    if (size > maxBytes) {
      cancelLater(reader)
      throw tooLarge(maxBytes)
    }
    chunks.push(value)
  }
  return joinChunks(chunks, size)
}

/** Some servers close the connection with the stream: at once, that would destroy the answer on its way. */
function cancelLater(reader: ReadableStreamDefaultReader<Uint8Array>): void {
  const timer: unknown = setTimeout(() => void reader.cancel().catch(() => undefined), lingerMs)
  ;(timer as { unref?: () => void }).unref?.()
}
