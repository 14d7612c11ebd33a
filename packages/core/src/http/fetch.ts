import { turn } from '../base/event-loop.ts'
import { joinChunks, tooLarge } from '../call/body-bytes.ts'
import type { BridgeCall, BridgeReply, ReceivedBody } from '../call/bridge-call.ts'

/** Facts about a web-standard request that only the web framework knows. */
export interface FetchPlatform {
  /**
   * Reads the body where something else has read the request already, or where the framework has a faster way to a body
   * whose length was sent. @default the request's stream, up to the limit
   */
  readonly readBody?: () => Promise<ArrayBuffer>
  /** How to keep the raw body in this web framework. */
  readonly rawBodyHint?: string
  /** Keeps the runtime awake until work in the background is done; the bridge's option `waitUntil` comes before it. */
  readonly waitUntil?: ((work: Promise<unknown>) => unknown) | undefined
  /**
   * Variables that come with each request, such as `env` of Cloudflare Workers: `SERVICE_SECRET_KEY`, `SERVICE_API_URL`
   * and the like. What is not text is left out. @default those of the process
   */
  readonly env?: unknown
  /**
   * Whether Node writes the answer to a socket. Then answers that are ready in one turn of the event loop are given back
   * together in the next: written one by one, each of them wakes its receiver. @default false
   */
  readonly onSocket?: boolean
}

const none: FetchPlatform = {}
// A caller that has its answer and goes on sending is cut off after this time.
const lingerMs = 1000

/**
 * Returns a bridge its web-standard door.
 *
 * @param answer - Answers a call; never rejects.
 */
export function toFetch(
  answer: (call: BridgeCall) => Promise<BridgeReply>,
): (request: Request, platform?: FetchPlatform) => Promise<Response> {
  return async (request, platform = none) => {
    const { headers } = request
    const reply = await answer({
      method: request.method,
      url: request.url,
      header: (name) => headers.get(name),
      readBody: (maxBytes) => readRequest(request, platform, maxBytes),
      rawBodyHint: platform.rawBodyHint,
      waitUntil: platform.waitUntil,
      env: platform.env,
    })
    if (platform.onSocket) await turn()
    return new Response(reply.body, { status: reply.status, headers: reply.headers })
  }
}

async function readRequest(request: Request, platform: FetchPlatform, maxBytes: number): Promise<ReceivedBody> {
  if (platform.readBody) return checked(await platform.readBody(), maxBytes)
  return { bytes: await readStream(request.body, maxBytes), exact: true }
}

function checked(buffer: ArrayBuffer, maxBytes: number): ReceivedBody {
  if (buffer.byteLength > maxBytes) throw tooLarge(maxBytes)
  return { bytes: new Uint8Array(buffer), exact: true }
}

/** Some servers close the connection with the stream: at once, that would destroy the answer on its way. */
function cancelLater(reader: ReadableStreamDefaultReader<Uint8Array>): void {
  const timer: unknown = setTimeout(() => void reader.cancel().catch(() => undefined), lingerMs)
  ;(timer as { unref?: () => void }).unref?.()
}

async function readStream(stream: ReadableStream<Uint8Array> | null, maxBytes: number): Promise<Uint8Array> {
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
