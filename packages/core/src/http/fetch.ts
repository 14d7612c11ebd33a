import { toBodyError } from '@trestle/protocol'
import { turn } from '../base/event-loop.ts'
import { BodyReadBefore } from '../call/body-bytes.ts'
import type { BridgeCall, BridgeReply, ReceivedBody } from '../call/bridge-call.ts'
import { openWebBody, type WebBody } from './web-stream.ts'

/** Information about a web-standard request that only the web framework has. */
export interface FetchPlatform {
  /**
   * Reads the body if other code has already consumed the request, or if the framework can read a body of known length
   * faster. @default the request's stream, up to the limit
   */
  readonly readBody?: (() => Promise<ArrayBuffer>) | undefined
  /** How to keep the raw body in this web framework. */
  readonly rawBodyHint?: string | undefined
  /** Keeps the runtime awake until background work is done; the bridge's option `waitUntil` overrides it. */
  readonly waitUntil?: ((work: Promise<unknown>) => unknown) | undefined
  /**
   * Variables passed with each request, such as `env` on Cloudflare Workers, for example `SERVICE_SECRET_KEY` and
   * `SERVICE_API_URL`. Non-string values are ignored. @default those of the process
   */
  readonly env?: unknown
  /**
   * Whether Node writes the response to a socket. Responses that are ready in the same turn of the event loop are then
   * sent together in the next, because each separate write wakes its receiver. @default false
   */
  readonly onSocket?: boolean | undefined
}

const none: FetchPlatform = {}

/**
 * The maximum time after a call's arrival for which its response is held, so that it is not delayed past the deadline.
 */
const maxHoldMs = 1000

/** Returns the web-standard handler of a bridge. */
export function toFetch(
  answer: (call: BridgeCall) => Promise<BridgeReply>,
): (request: Request, platform?: FetchPlatform) => Promise<Response> {
  return async (request, platform = none) => {
    const { headers } = request
    let body: WebBody | undefined
    let wasRead = false
    const startMs = Date.now()
    const reply = await answer({
      method: request.method,
      url: request.url,
      header: (name) => headers.get(name),
      readBody(maxBytes) {
        wasRead = true
        if (platform.readBody) return readElsewhere(request, platform.readBody, maxBytes)
        body = openWebBody(request.body)
        return readRequest(request, body, maxBytes)
      },
      rawBodyHint: platform.rawBodyHint,
      waitUntil: platform.waitUntil,
      env: platform.env,
    })
    const holdMs = maxHoldMs - (Date.now() - startMs)
    const released = body ? body.release(holdMs) : wasRead ? undefined : releaseUnread(request, holdMs)
    if (released) await released
    if (platform.onSocket) await turn()
    return new Response(reply.body, { status: reply.status, headers: reply.headers })
  }
}

async function readRequest({ headers }: Request, body: WebBody, maxBytes: number): Promise<ReceivedBody> {
  const bytes = await body.read(maxBytes)
  // Some servers return an empty stream if other code has read the body.
  if (bytes.byteLength === 0 && Number(headers.get('content-length')) > 0) throw new BodyReadBefore()
  return { bytes, exact: true }
}

async function readElsewhere(
  { bodyUsed }: Request,
  read: () => Promise<ArrayBuffer>,
  maxBytes: number,
): Promise<ReceivedBody> {
  const buffer = await read().catch((error: unknown) => {
    throw bodyUsed ? new BodyReadBefore() : error
  })
  if (buffer.byteLength > maxBytes) throw toBodyError('bytes', maxBytes)
  return { bytes: new Uint8Array(buffer), exact: true }
}

/** Releases the unread body of a rejected call. */
function releaseUnread(request: Request, holdMs: number): Promise<void> | undefined {
  if (request.method === 'GET' || request.method === 'HEAD') return undefined
  try {
    return openWebBody(request.body).release(holdMs)
  } catch {
    // A custom request object may no longer have a body.
    return undefined
  }
}
