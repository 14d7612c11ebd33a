import { type BridgeOptions, createBridge } from '@trestle/core'
import type { LoaderFunctionArgs } from 'react-router'

/** Answers a request of a route. */
export type RouteHandler = (route: Pick<LoaderFunctionArgs, 'request'>) => Promise<Response>

/** What a resource route exports. */
export interface RouteHandlers {
  /** Answers GET, HEAD and OPTIONS. */
  readonly loader: RouteHandler
  /** Answers all other methods. */
  readonly action: RouteHandler
}

/**
 * Serves workflows from React Router in framework mode, as a resource route.
 *
 * @param options - Workflows and settings.
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
  const answer: RouteHandler = ({ request }) => bridge.fetch(request)
  return { loader: answer, action: answer }
}
