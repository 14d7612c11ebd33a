import { type SendingLimits, whileSending } from '@trestle/protocol'
import { turn } from '../base/event-loop.ts'
import type { BridgeReply } from '../call/bridge-call.ts'
import type { Bridge } from './create-bridge.ts'
import { type NodeRequest, readNodeBody } from './node-body.ts'

// A caller that continues to send after its response has ended is disconnected after this time.
const lingerMs = 1000
// Before that, the response ends after a second without a part, or after 30 seconds at the latest.
const limitsOfSent = { idleChecks: 20, mostChecks: 600 } as const
// A response that cannot be sent in parts is only sent at its end, so the limits are short.
const limitsOfHeld = { idleChecks: 4, mostChecks: 20 } as const
const encoder = new TextEncoder()

/** The part of `ServerResponse` from `node:http` that the framework uses. */
export interface NodeResponse {
  /** The status to send. */
  statusCode: number
  /** Whether the response has started; if so, the caller is responsible for it. */
  readonly headersSent: boolean
  /** Whether the response has ended. */
  readonly writableEnded?: boolean
  setHeader(name: string, value: string): unknown
  /** Sends a part of the response, if the web framework supports it. */
  write?(part: string): unknown
  /** Sends the rest of the response. */
  end(body: string): unknown
  /** Closes the connection. */
  destroy(): unknown
  /** Listens to an event. */
  on(event: 'error' | 'finish', listener: () => void): unknown
}

/** Information about a Node request that only the web framework has. */
export interface NodePlatform {
  /** How to keep the raw body in this web framework; appended to the error message if only a parsed object was left. */
  readonly rawBodyHint?: string | undefined
  /** Keeps the runtime awake until background work is done; the bridge's option `waitUntil` overrides it. */
  readonly waitUntil?: ((work: Promise<unknown>) => unknown) | undefined
  /** Variables passed with each request. @default those of the process */
  readonly env?: unknown
}

/** Handles one `node:http` request. The promise resolves when the response has been sent, and never rejects. */
export type NodeHandler = (request: NodeRequest, response: NodeResponse) => Promise<void>

/**
 * Returns a bridge's handler for `node:http` and for every web framework built on it.
 *
 * @param bridge - The bridge to mount.
 * @param platform - Information that only the web framework has.
 * @example
 * createServer(toNodeHandler(createBridge({ workflows }))).listen(3000)
 */
export function toNodeHandler(bridge: Pick<Bridge, 'handle'>, platform: NodePlatform = {}): NodeHandler {
  return async (request, response) => {
    // Without listeners a stream error, for example when a caller disconnects, would end the process.
    request.on('error', ignore)
    response.on('error', ignore)
    response.on('finish', () => release(request))
    try {
      const reply = await bridge.handle({
        method: request.method ?? 'GET',
        url: request.originalUrl ?? request.url ?? '',
        header: (name) => readHeader(request, name),
        readBody: (maxBytes) => readNodeBody(request, maxBytes),
        ...platform,
      })
      // If responses that are ready together were written separately, each would wake its receiver.
      await turn()
      await write(request, response, reply)
    } catch {
      // The caller can no longer get a response, and must not wait on an open connection.
      response.destroy()
    }
  }
}

function ignore(): void {}

function readHeader({ headers }: NodeRequest, name: string): string | undefined {
  const value = Object.hasOwn(headers, name) ? headers[name] : undefined
  return typeof value === 'object' ? value.join(', ') : value
}

async function write(
  request: NodeRequest,
  response: NodeResponse,
  { status, headers, body }: BridgeReply,
): Promise<void> {
  // Other code, such as a timeout, has already responded.
  if (response.headersSent || response.writableEnded) return
  response.statusCode = status
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value)
  if (request.complete !== false) {
    response.end(body)
    return
  }
  // Node closes a connection without keep-alive at the end of the response: send it now, and end it later.
  if (response.write) {
    response.setHeader('content-length', String(encoder.encode(body).byteLength))
    response.write(body)
  }
  await receive(request, response.write ? limitsOfSent : limitsOfHeld)
  response.end(response.write ? '' : body)
}

/** Discards the rest of a request while its caller sends it. */
function receive(request: NodeRequest, limits: SendingLimits): Promise<void> {
  let parts = 0
  const ended = new Promise<void>((resolve) => {
    request.on('data', () => void parts++)
    request.on('end', resolve)
    request.on('close', resolve)
  })
  request.resume?.()
  return whileSending(ended, () => parts, limits)
}

/** Closes the connection if the caller is still sending some time after its response has ended. */
function release(request: NodeRequest): void {
  if (request.complete !== false) return
  request.resume?.()
  const timer: unknown = setTimeout(() => request.complete === false && request.destroy?.(), lingerMs)
  ;(timer as { unref?: () => void }).unref?.()
}
