import { type BridgeOptions, createBridge } from '@trestle/core'
import type { Handler } from 'hono'

/**
 * Serves workflows from Hono, on every runtime Hono runs on.
 *
 * @param options - Workflows and settings.
 * @returns A handler for `app.all`.
 * @throws TypeError - An option has the wrong form.
 * @example
 * app.all('/api/bridge', serve({ workflows: [orderShipped] }))
 */
export function serve(options: BridgeOptions): Handler {
  const bridge = createBridge(options)
  return ({ req }) => {
    // Hono keeps a body that a middleware has read through it; the request itself can be read only once. A body of
    // known length, to which the server holds it, is read whole: on Node that is much faster than its stream.
    const isWhole = req.raw.bodyUsed || req.raw.headers.has('content-length')
    return bridge.fetch(req.raw, isWhole ? { readBody: () => req.arrayBuffer() } : {})
  }
}
