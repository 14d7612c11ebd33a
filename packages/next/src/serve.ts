import { type BridgeOptions, createBridge } from '@trestle/core'
import type { NextRequest } from 'next/server.js'

/** Answers a request of one method. Never rejects. */
export type RouteHandler = (request: NextRequest) => Promise<Response>

/** A handler for every method a route file can export; Next answers without JSON for those that are missing. */
export type RouteHandlers = Readonly<
  Record<'GET' | 'POST' | 'OPTIONS' | 'HEAD' | 'PUT' | 'PATCH' | 'DELETE', RouteHandler>
>

/**
 * Serves workflows and agents from a route of the App Router. An agent's turn goes on behind the answer by `after` of
 * Next.js, from version 15.1 on.
 *
 * @param options - Workflows, agents and settings.
 * @throws TypeError - An option has the wrong form.
 * @example
 * // app/api/bridge/route.ts
 * export const { GET, POST, OPTIONS, HEAD, PUT, PATCH, DELETE } = serve({ workflows: [orderShipped] })
 */
export function serve(options: BridgeOptions): RouteHandlers {
  const bridge = createBridge(options)
  const after = (options.agents ?? []).length > 0 ? findAfter() : undefined
  const answer: RouteHandler = async (request) => bridge.fetch(request, { waitUntil: await after })
  return { GET: answer, POST: answer, OPTIONS: answer, HEAD: answer, PUT: answer, PATCH: answer, DELETE: answer }
}

type WaitUntil = (work: Promise<unknown>) => void

/** Next.js 14 does not have it, so an import by name would fail there; outside of Next.js there is no module. */
async function findAfter(): Promise<WaitUntil | undefined> {
  const server: object = await import('next/server.js').catch(() => ({}))
  const after: unknown = Reflect.get(server, 'after')
  return typeof after === 'function' ? (after as WaitUntil) : undefined
}
