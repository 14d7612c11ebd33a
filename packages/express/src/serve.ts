import { type BridgeOptions, createBridge, toNodeHandler } from '@trestle/core'
import type { NextFunction, Request, Response } from 'express'

const rawBodyHint =
  'In Express, mount the bridge before express.json(), or keep the raw body with express.json({ verify: (req, res, buffer) => { Object.assign(req, { rawBody: buffer }) } }).'

/**
 * Serves workflows from Express 4 or 5. Does not need a body parser, and works after one that keeps the raw body.
 *
 * @param options - Workflows and settings.
 * @returns A handler for `app.all` or `app.use`. Your own handler can call it with its request and response.
 * @throws TypeError - An option is invalid.
 * @example
 * app.all('/api/bridge', serve({ workflows: [orderShipped] }))
 */
export function serve(
  options: BridgeOptions,
): (request: Request, response: Response, next?: NextFunction) => Promise<void> {
  return toNodeHandler(createBridge(options), { rawBodyHint })
}
