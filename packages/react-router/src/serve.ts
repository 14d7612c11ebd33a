import { type BridgeOptions, createBridge } from '@trestle/core'
import type { LoaderFunctionArgs } from 'react-router'

/** Answers a request of a route. */
export type RouteHandler = (
  route: Pick<LoaderFunctionArgs, 'request'> & { readonly context?: unknown },
) => Promise<Response>

/** What a resource route exports. */
export interface RouteHandlers {
  /** Answers GET, HEAD and OPTIONS. */
  readonly loader: RouteHandler
  /** Answers all other methods. */
  readonly action: RouteHandler
}

/** What `getLoadContext` of the template for Cloudflare returns. */
interface LoadContext {
  readonly cloudflare?: { readonly env?: unknown; readonly ctx?: { waitUntil?(work: Promise<unknown>): void } }
}

/**
 * Serves workflows and agents from React Router in framework mode, as a resource route. On Cloudflare variables are read
 * from `context.cloudflare.env`, and `context.cloudflare.ctx` is kept awake until an agent has answered.
 *
 * @param options - Workflows, agents and settings.
 * @returns The exports of the route's module.
 * @throws TypeError - An option has the wrong form.
 * @example
 * // app/routes/bridge.ts
 * const bridge = serve({ workflows: [orderShipped] })
 * export const loader = bridge.loader
 * export const action = bridge.action
 */
export function serve(options: BridgeOptions): RouteHandlers {
  const bridge = createBridge(options)
  const answer: RouteHandler = ({ request, context }) => {
    const { env, ctx } = (context as LoadContext | undefined)?.cloudflare ?? {}
    return bridge.fetch(request, { env, ...(ctx?.waitUntil && { waitUntil: (work) => ctx.waitUntil?.(work) }) })
  }
  return { loader: answer, action: answer }
}
