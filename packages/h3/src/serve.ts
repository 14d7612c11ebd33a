import { type BridgeOptions, createBridge, type NodeRequest, type NodeResponse, toNodeHandler } from '@trestle/core'
import { defineEventHandler, type EventHandler } from 'h3'

/** What the events of both versions have of what is used here. */
interface AnyEvent {
  /** In 2, and in 1 on platforms other than Node. */
  readonly req?: unknown
  readonly web?: { readonly request?: Request }
  readonly node?: { readonly req: NodeRequest; readonly res: NodeResponse }
}

/**
 * Serves workflows from h3, 1 or 2, and so from Nitro and Nuxt.
 *
 * @param options - Workflows and settings.
 * @returns An event handler, for a route of all methods.
 * @throws TypeError - An option has the wrong form.
 * @example
 * // server/api/bridge.ts
 * export default serve({ workflows: [orderShipped] })
 */
export function serve(options: BridgeOptions): EventHandler {
  const bridge = createBridge(options)
  const handle = toNodeHandler(bridge)
  return defineEventHandler((event) => {
    const { req, web, node } = event as unknown as AnyEvent
    const request = isRequest(req) ? req : web?.request
    if (request) return bridge.fetch(request)
    if (node) return handle(node.req, node.res)
    throw new TypeError('The event holds neither a web-standard request nor one of Node.')
  })
}

function isRequest(value: unknown): value is Request {
  return typeof value === 'object' && value !== null && typeof Reflect.get(value, 'arrayBuffer') === 'function'
}
