import { type BridgeOptions, createBridge } from '@trestle/core'
import type { NextRequest } from 'next/server.js'

/** Handles a request. Never rejects. */
export type RouteHandler = (request: NextRequest) => Promise<Response>

/** Handlers for all methods that a route file can export. For missing methods, Next would respond without JSON. */
export type RouteHandlers = Readonly<
  Record<'GET' | 'POST' | 'OPTIONS' | 'HEAD' | 'PUT' | 'PATCH' | 'DELETE', RouteHandler>
>

/**
 * Serves workflows and agents from a route of the App Router. Since Next.js 15.1, an agent's turn continues after the
 * response, using `after`.
 *
 * @param options - Workflows, agents and settings.
 * @throws TypeError - An option is invalid.
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

/** Returns `after`, if available: a named import would fail in Next.js 14, which lacks it, and outside Next.js. */
async function findAfter(): Promise<WaitUntil | undefined> {
  const server: object = await import('next/server.js').catch(() => ({}))
  const after: unknown = Reflect.get(server, 'after')
  return typeof after === 'function' ? (after as WaitUntil) : undefined
}
