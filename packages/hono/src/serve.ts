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
  return ({ req, env }) => {
    // Hono keeps a body that a middleware has read through it; the request itself can be read only once. A body of
    // known length, to which the server holds it, is read whole where that is fast: everywhere but on Node with a
    // request that is not the server's own.
    const isKept = req.raw.bodyUsed
    const isWhole = isKept || (isFastWhole(env) && req.raw.headers.has('content-length'))
    return bridge.fetch(req.raw, isWhole ? { readBody: () => req.arrayBuffer() } : {})
  }
}

/** Returns whether `arrayBuffer()` beats the stream: `@hono/node-server` passes Node's own request along. */
function isFastWhole(env: unknown): boolean {
  return !onNode || (typeof env === 'object' && env !== null && 'incoming' in env)
}

const { process } = globalThis as { process?: { release?: { name?: string } } }
const onNode = process?.release?.name === 'node' && !('Bun' in globalThis)
