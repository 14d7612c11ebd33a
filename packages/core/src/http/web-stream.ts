import { createBodyBuffer, toBodyError, toChecks, whileSending } from '@trestle/protocol'
import { turn } from '../base/event-loop.ts'
import { BodyReadBefore } from '../call/body-bytes.ts'

// A caller that continues to send after its call was decided is disconnected after this time.
const lingerMs = 1000
/** A caller that sends nothing during this number of checks waits for its response. */
const idleChecks = 4
// A stream whose chunks are immediately available would block the event loop, including timers.
const chunksATurn = 64

/** The body of a web-standard request. */
export interface WebBody {
  /**
   * @throws CodedError - `PayloadTooLarge`.
   * @throws BodyReadBefore - Other code has read the body.
   * @throws TypeError - The stream contains values other than bytes.
   */
  read(maxBytes: number): Promise<Uint8Array>
  /**
   * Discards the rest of the body for a limited time, then cancels the stream. An unread body would block the
   * connection for the next call.
   *
   * @param holdMs - How long an early response may be held. @default 0
   * @returns A promise that resolves when the response may be sent; undefined if the body is already consumed.
   */
  release(holdMs?: number): Promise<void> | undefined
}

/**
 * Wraps a web-standard stream without reading from it.
 *
 * @param stream - The stream; `null` stands for an empty one.
 */
export function openWebBody(stream: ReadableStream<Uint8Array> | null): WebBody {
  let reader: ReadableStreamDefaultReader<Uint8Array> | undefined
  let isOver = false
  let timer: unknown
  const end = (): void => {
    isOver = true
    clearTimeout(timer as never)
  }
  const next: Next = async () => {
    try {
      const part = await (reader as NonNullable<typeof reader>).read()
      if (part.done) end()
      return part
    } catch (error) {
      end()
      throw error
    }
  }
  return {
    async read(maxBytes) {
      if (!stream) return new Uint8Array(0)
      if (stream.locked) throw new BodyReadBefore()
      reader = stream.getReader()
      return await collect(next, maxBytes)
    },
    release(holdMs = 0) {
      if (isOver || !stream || timer !== undefined) return undefined
      // A stream locked by other code must not be canceled here.
      if (!reader && stream.locked) return undefined
      reader ??= stream.getReader()
      timer = setTimeout(() => void reader?.cancel().catch(ignore), lingerMs)
      ;(timer as { unref?: () => void }).unref?.()
      let parts = 0
      const counting: Next = async () => {
        parts++
        return next()
      }
      return whileSending(discard(counting).catch(ignore), () => parts, { idleChecks, mostChecks: toChecks(holdMs) })
    },
  }
}

type Next = () => Promise<ReadableStreamReadResult<Uint8Array>>

async function collect(next: Next, maxBytes: number): Promise<Uint8Array> {
  const buffer = createBodyBuffer(maxBytes)
  for (;;) {
    const { done, value } = await next()
    if (done) return buffer.toBytes()
    // A custom stream may contain any value.
    if (!(value instanceof Uint8Array)) throw new TypeError('The body is not a byte stream.')
    // Yield, so that a stream of empty chunks cannot block the event loop.
    if (value.byteLength === 0) await turn()
    const limit = buffer.add(value)
    if (limit) throw toBodyError(limit, maxBytes)
  }
}

async function discard(next: Next): Promise<void> {
  for (let chunks = 1; !(await next()).done; chunks++) if (chunks % chunksATurn === 0) await turn()
}

function ignore(): void {}

/**
 * Reads a web-standard stream.
 *
 * @param stream - The stream; `null` stands for an empty one.
 * @throws CodedError - `PayloadTooLarge`.
 * @throws TypeError - The stream contains values other than bytes.
 */
export async function readWebStream(stream: ReadableStream<Uint8Array> | null, maxBytes: number): Promise<Uint8Array> {
  const body = openWebBody(stream)
  try {
    return await body.read(maxBytes)
  } catch (error) {
    void body.release()
    throw error
  }
}
