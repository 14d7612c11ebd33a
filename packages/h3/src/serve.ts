import {
  type Bridge,
  type BridgeOptions,
  createBridge,
  type NodePlatform,
  type NodeRequest,
  type NodeResponse,
  toNodeHandler,
} from '@trestle/core'
import { defineEventHandler, type EventHandler } from 'h3'

type WaitUntil = (work: Promise<unknown>) => void

interface Cloudflare {
  readonly cloudflare?: { readonly env?: unknown }
}

/** The fields of both versions' events that are used. */
interface AnyEvent {
  /** Set in version 2, and in version 1 on platforms other than Node. */
  readonly req?: unknown
  readonly web?: { readonly request?: Request }
  readonly node?: { readonly req: NodeRequest; readonly res: NodeResponse }
  /** Provided by Nitro in version 1; does nothing in version 2 if the request has none. */
  readonly waitUntil?: WaitUntil
  readonly context?: Cloudflare
  /** The body provided by a serverless platform in version 1. */
  readonly _requestBody?: unknown
}

/** Fields that h3 2 servers add to a request. */
interface ServerRequest extends Request {
  readonly waitUntil?: WaitUntil
  readonly runtime?: Cloudflare & { readonly node?: unknown }
}

/**
 * Serves workflows and agents from h3 1 or 2, and therefore from Nitro and Nuxt. Reads platform variables from the
 * event if available, and keeps the platform awake until an agent has finished.
 *
 * @param options - Workflows, agents and settings.
 * @returns An event handler, for a route that accepts all methods.
 * @throws TypeError - An option is invalid.
 * @example
 * // server/api/bridge.ts
 * export default serve({ workflows: [orderShipped] })
 */
export function serve(options: BridgeOptions): EventHandler {
  const bridge = createBridge(options)
  return defineEventHandler((anyEvent) => {
    const event = anyEvent as unknown as AnyEvent
    const { req, web, node, context } = event
    if (isRequest(req)) {
      const { waitUntil, runtime } = req
      const onSocket = runtime?.node !== undefined
      return bridge.fetch(req, { env: runtime?.cloudflare?.env, waitUntil: waitUntil?.bind(req), onSocket })
    }
    const platform = { env: context?.cloudflare?.env, waitUntil: event.waitUntil?.bind(event) }
    if (web?.request) return bridge.fetch(web.request, platform)
    if (node) return answerOnNode(bridge, event, platform)
    throw new TypeError('The event has neither a web-standard request nor a Node request.')
  })
}

/** The key of the body that h3 1 has read. */
const kept: unique symbol = Symbol.for('h3RawBody') as never
const rawBodyHint = 'Read bodies with readBody() or readRawBody() from h3, which keep the raw bytes.'

async function answerOnNode(bridge: Bridge, event: AnyEvent, platform: NodePlatform): Promise<void> {
  const { req, res } = event.node as NonNullable<AnyEvent['node']>
  // A read error, such as a body that is too large, is reported again by the next reader.
  const bytes = await Promise.resolve((req as { readonly [kept]?: unknown })[kept]).catch(() => undefined)
  const body = event._requestBody
  const bodyFields = { ...(bytes !== undefined && { rawBody: bytes }), ...(body !== undefined && { body }) }
  await toNodeHandler(bridge, { ...platform, rawBodyHint })(Object.assign(req, bodyFields), res)
}

function isRequest(value: unknown): value is ServerRequest {
  return typeof value === 'object' && value !== null && typeof Reflect.get(value, 'arrayBuffer') === 'function'
}
