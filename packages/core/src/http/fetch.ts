import { turn } from '../base/event-loop.ts'
import { tooLarge } from '../call/body-bytes.ts'
import type { BridgeCall, BridgeReply, ReceivedBody } from '../call/bridge-call.ts'
import { readWebStream } from './web-stream.ts'

/** Facts about a web-standard request that only the web framework knows. */
export interface FetchPlatform {
  /**
   * Reads the body where something else has read the request already, or where the framework has a faster way to a body
   * whose length was sent. @default the request's stream, up to the limit
   */
  readonly readBody?: (() => Promise<ArrayBuffer>) | undefined
  /** How to keep the raw body in this web framework. */
  readonly rawBodyHint?: string | undefined
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
  readonly onSocket?: boolean | undefined
}

const none: FetchPlatform = {}

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
  const bytes = await readWebStream(request.body, maxBytes)
  // Some servers give an empty stream for a body that something in front has read.
  if (bytes.byteLength === 0 && Number(request.headers.get('content-length')) > 0)
    throw new TypeError('The body was read before it came to the bridge.')
  return { bytes, exact: true }
}

function checked(buffer: ArrayBuffer, maxBytes: number): ReceivedBody {
  if (buffer.byteLength > maxBytes) throw tooLarge(maxBytes)
  return { bytes: new Uint8Array(buffer), exact: true }
}
