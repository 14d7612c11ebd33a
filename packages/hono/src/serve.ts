import { type BridgeOptions, createBridge } from '@trestle/core'
import type { Context, HonoRequest, Next } from 'hono'

/**
 * Serves workflows and agents from Hono, on every runtime Hono runs on. Where the platform has them, variables are read
 * from `c.env`, and `c.executionCtx` is kept awake until an agent has answered.
 *
 * @param options - Workflows, agents and settings.
 * @returns A handler for `app.all`; a handler of your own may call it with its context.
 * @throws TypeError - An option has the wrong form.
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
    // Hono keeps a body that a middleware has read through it; the request itself can be read only once. A body of
    // known length, to which the server holds it, is read whole where that is fast: everywhere but on Node with a
    // request that is not the server's own.
    const isWhole = keepsBody(req) || ((!onNode || onSocket) && req.raw.headers.has('content-length'))
    return bridge.fetch(req.raw, { env, waitUntil, onSocket, ...(isWhole && { readBody: () => req.arrayBuffer() }) })
  }
}

/** Returns whether a middleware has read the body through Hono; to ask the request whether it was read costs more. */
function keepsBody({ bodyCache }: HonoRequest): boolean {
  for (const _ in bodyCache) return true
  return false
}

/** Returns how the platform is kept awake; Hono throws where it has no such thing. */
function findWaitUntil(context: Context): ((work: Promise<unknown>) => void) | undefined {
  try {
    const { executionCtx } = context
    return typeof executionCtx.waitUntil === 'function' ? (work) => executionCtx.waitUntil(work) : undefined
  } catch {
    return undefined
  }
}

/** Returns whether the app runs on `@hono/node-server`, which passes Node's own request along. */
function isNodeServer(env: unknown): boolean {
  return onNode && typeof env === 'object' && env !== null && 'incoming' in env
}

const { process } = globalThis as { process?: { release?: { name?: string } } }
const onNode = process?.release?.name === 'node' && !('Bun' in globalThis)
