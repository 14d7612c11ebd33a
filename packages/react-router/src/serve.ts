import { type BridgeOptions, createBridge } from '@trestle/core'
import type { LoaderFunctionArgs } from 'react-router'

/** Handles a request to a route. */
export type RouteHandler = (
  route: Pick<LoaderFunctionArgs, 'request'> & { readonly context?: unknown },
) => Promise<Response>

/** The exports of a resource route. */
export interface RouteHandlers {
  /** Handles GET, HEAD and OPTIONS. */
  readonly loader: RouteHandler
  /** Handles all other methods. */
  readonly action: RouteHandler
}

/** The result of `getLoadContext` in the Cloudflare template. */
interface LoadContext {
  readonly cloudflare?: { readonly env?: unknown; readonly ctx?: { waitUntil?(work: Promise<unknown>): void } }
}

/**
 * Serves workflows and agents from React Router in framework mode, as a resource route. On Cloudflare, reads variables
 * from `context.cloudflare.env`, and keeps `context.cloudflare.ctx` awake until an agent has finished.
 *
 * @param options - Workflows, agents and settings.
 * @returns The exports of the route's module.
 * @throws TypeError - An option is invalid.
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
