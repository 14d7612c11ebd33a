import type { RequestHandler } from '@sveltejs/kit'
import { type BridgeOptions, createBridge } from '@trestle/core'

/** The handlers a `+server.ts` exports, one for each method that SvelteKit hands on. */
export type MethodHandlers = Readonly<
  Record<'GET' | 'POST' | 'OPTIONS' | 'HEAD' | 'PUT' | 'PATCH' | 'DELETE', RequestHandler>
>

/**
 * Serves workflows from SvelteKit, on every platform that it has an adapter for.
 *
 * @param options - Workflows and settings.
 * @returns The exports of a `+server.ts`.
 * @throws TypeError - An option has the wrong form.
 * @example
 * // src/routes/api/bridge/+server.ts
 * export const { GET, POST, OPTIONS, HEAD, PUT, PATCH, DELETE } = serve({ workflows: [orderShipped] })
 */
export function serve(options: BridgeOptions): MethodHandlers {
  const bridge = createBridge(options)
  const answer: RequestHandler = ({ request }) => bridge.fetch(request)
  return { GET: answer, POST: answer, OPTIONS: answer, HEAD: answer, PUT: answer, PATCH: answer, DELETE: answer }
}
