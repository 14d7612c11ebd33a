import { type BridgeOptions, createBridge, type NodeResponse, toNodeHandler } from '@trestle/core'
import type { Context, Next, ParameterizedContext } from 'koa'

const rawBodyHint =
  'In Koa, mount the bridge before the body parser, or use a parser that keeps the raw text in ctx.request.rawBody.'

/**
 * Serves workflows from Koa. Does not need a body parser, and works after one that keeps the raw text, such as
 * `koa-bodyparser`.
 *
 * @param options - Workflows and settings.
 * @returns A middleware for one path: `router.all(path, …)` or `mount(path, …)`. Your own middleware can call it with
 * its context.
 * @throws TypeError - An option is invalid.
 * @example
 * router.all('/api/bridge', serve({ workflows: [orderShipped] }))
 */
export function serve(options: BridgeOptions): (context: ParameterizedContext, next?: Next) => Promise<void> {
  const handle = toNodeHandler(createBridge(options), { rawBodyHint })
  return (context) => {
    const { rawBody, body } = context.request as { readonly rawBody?: unknown; readonly body?: unknown }
    // A platform may have kept the raw body in `context.req`.
    Object.assign(context.req, rawBody !== undefined && { rawBody }, body !== undefined && { body })
    return handle(context.req, toResponse(context))
  }
}

/** Returns a response that Koa sends after the other middleware has run. */
function toResponse(context: Context): NodeResponse {
  const { res } = context
  return {
    get headersSent() {
      return context.headerSent
    },
    get statusCode() {
      return context.status
    },
    set statusCode(status) {
      context.status = status
    },
    setHeader: (name, value) => context.set(name, value),
    end(body) {
      context.body = body
    },
    destroy: () => res.destroy(),
    on: (event, listener) => res.on(event, listener),
  }
}
