import { type BridgeOptions, createBridge, toNodeHandler } from '@trestle/core'
import type { RequestHandler } from 'express'

const rawBodyHint =
  'In Express, mount the bridge in front of express.json(), or keep the raw body with express.json({ verify: (req, res, buffer) => { Object.assign(req, { rawBody: buffer }) } }).'

/**
 * Serves workflows from Express, 4 or 5. Needs no body parser, and works behind one that keeps the raw body.
 *
 * @param options - Workflows and settings.
 * @returns A handler for `app.all` or `app.use`.
 * @throws TypeError - An option has the wrong form.
 * @example
 * app.all('/api/bridge', serve({ workflows: [orderShipped] }))
 */
export function serve(options: BridgeOptions): RequestHandler {
  return toNodeHandler(createBridge(options), { rawBodyHint })
}
