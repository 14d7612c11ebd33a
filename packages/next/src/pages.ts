import { type BridgeOptions, createBridge, toNodeHandler } from '@trestle/core'
import type { NextApiHandler } from 'next'

const rawBodyHint =
  'In a Next.js API route, add this line to the file that calls serve: export const config = { api: { bodyParser: false } }'

/**
 * Serves workflows from an API route of the Pages Router. The route file needs one more line, because Next reads it
 * statically: `export const config = { api: { bodyParser: false } }`.
 *
 * @param options - Workflows and settings.
 * @throws TypeError - An option is invalid.
 * @example
 * // pages/api/bridge.ts
 * export default serve({ workflows: [orderShipped] })
 * export const config = { api: { bodyParser: false } }
 */
export function serve(options: BridgeOptions): NextApiHandler {
  return toNodeHandler(createBridge(options), { rawBodyHint })
}
