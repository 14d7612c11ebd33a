import type { RequestHandler } from '@sveltejs/kit'
import { type BridgeOptions, createBridge } from '@trestle/core'

/** The handlers that a `+server.ts` exports, one for each method. */
export type MethodHandlers = Readonly<
  Record<'GET' | 'POST' | 'OPTIONS' | 'HEAD' | 'PUT' | 'PATCH' | 'DELETE', RequestHandler>
>

/** The `platform` of the SvelteKit adapters for Cloudflare and Netlify. */
interface Platform {
  readonly env?: unknown
  readonly ctx?: Lifetime
  readonly context?: Lifetime
}

interface Lifetime {
  waitUntil?(work: Promise<unknown>): void
}

/**
 * Serves workflows and agents from SvelteKit, on every platform with an adapter. Reads variables from `platform.env` if
 * available, and keeps the function alive through `platform.ctx` until an agent has finished.
 *
 * @param options - Workflows, agents and settings.
 * @returns The exports of a `+server.ts`.
 * @throws TypeError - An option is invalid.
 * @example
 * // src/routes/api/bridge/+server.ts
 * export const { GET, POST, OPTIONS, HEAD, PUT, PATCH, DELETE } = serve({ workflows: [orderShipped] })
 */
export function serve(options: BridgeOptions): MethodHandlers {
  const bridge = createBridge(options)
  const answer: RequestHandler = ({ request, platform }) => {
    const { env, ctx, context }: Platform = platform ?? {}
    const lifetime = ctx ?? context
    return bridge.fetch(request, {
      env,
      ...(lifetime?.waitUntil && { waitUntil: (work) => lifetime.waitUntil?.(work) }),
    })
  }
  return { GET: answer, POST: answer, OPTIONS: answer, HEAD: answer, PUT: answer, PATCH: answer, DELETE: answer }
}
