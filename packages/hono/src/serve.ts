import { type BridgeOptions, createBridge } from '@trestle/core'
import type { Context, HonoRequest, Next } from 'hono'

/**
 * Serves workflows and agents from Hono, on every runtime that Hono supports. Reads variables from `c.env` if
 * available, and keeps `c.executionCtx` awake until an agent has finished.
 *
 * @param options - Workflows, agents and settings.
 * @returns A handler for `app.all`. Your own handler can call it with its context.
 * @throws TypeError - An option is invalid.
 * @example
 * app.all('/api/bridge', serve({ workflows: [orderShipped] }))
 */
export function serve(options: BridgeOptions): (context: Context, next?: Next) => Promise<Response> {
  const bridge = createBridge(options)
  const hasAgents = (options.agents ?? []).length > 0
  return (context) => {
    const { req, env } = context
    const waitUntil = hasAgents ? findWaitUntil(context) : undefined
    const onSocket = isNodeServer(env)
    // Hono caches a body that middleware has read; the request itself can be read only once. A body of known length is
    // read at once if that is faster: everywhere except on Node with a request that was not created by the server.
    const isWhole = keepsBody(req) || ((!onNode || onSocket) && req.raw.headers.has('content-length'))
    return bridge.fetch(req.raw, { env, waitUntil, onSocket, ...(isWhole && { readBody: () => req.arrayBuffer() }) })
  }
}

/** Returns whether a middleware has read the body through Hono, which is cheaper than checking the request. */
function keepsBody({ bodyCache }: HonoRequest): boolean {
  for (const _ in bodyCache) return true
  return false
}

/** Returns the platform's `waitUntil`; Hono throws if the platform has none. */
function findWaitUntil(context: Context): ((work: Promise<unknown>) => void) | undefined {
  try {
    const { executionCtx } = context
    return typeof executionCtx.waitUntil === 'function' ? (work) => executionCtx.waitUntil(work) : undefined
  } catch {
    return undefined
  }
}

/** Returns whether the app runs on `@hono/node-server`, which provides the Node request. */
function isNodeServer(env: unknown): boolean {
  return onNode && typeof env === 'object' && env !== null && 'incoming' in env
}

const { process } = globalThis as { process?: { release?: { name?: string } } }
const onNode = process?.release?.name === 'node' && !('Bun' in globalThis)
