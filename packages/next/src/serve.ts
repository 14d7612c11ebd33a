import { type BridgeOptions, createBridge } from '@trestle/core'
import type { NextRequest } from 'next/server.js'

/** Answers a request of one method. Never rejects. */
export type RouteHandler = (request: NextRequest) => Promise<Response>

/** A handler for every method a route file can export; Next answers without JSON for those that are missing. */
export type RouteHandlers = Readonly<
  Record<'GET' | 'POST' | 'OPTIONS' | 'HEAD' | 'PUT' | 'PATCH' | 'DELETE', RouteHandler>
>

/**
 * Serves workflows from a route of the App Router.
 *
 * @param options - Workflows and settings.
 * @throws TypeError - An option has the wrong form.
 * @example
 * // app/api/bridge/route.ts
 * export const { GET, POST, OPTIONS, HEAD, PUT, PATCH, DELETE } = serve({ workflows: [orderShipped] })
 */
export function serve(options: BridgeOptions): RouteHandlers {
  const bridge = createBridge(options)
  const answer: RouteHandler = (request) => bridge.fetch(request)
  return { GET: answer, POST: answer, OPTIONS: answer, HEAD: answer, PUT: answer, PATCH: answer, DELETE: answer }
}
