import type { BridgeOptions } from '../bridge/bridge-options.ts'
import { createRegistry } from '../bridge/registry.ts'
import type { BridgeCall, BridgeReply } from '../call/bridge-call.ts'
import { warnAtStart } from '../call/trust.ts'
import type { FetchPlatform } from './fetch.ts'
import { toFetch } from './fetch.ts'
import { handle } from './handle.ts'

/** A set of workflows that can be mounted, with the functions that adapters call. */
export interface Bridge {
  /**
   * Handles a call. Never throws and never rejects.
   *
   * @param call - The request as plain data.
   */
  handle(call: BridgeCall): Promise<BridgeReply>
  /**
   * Handles a web-standard request. Never rejects.
   *
   * @param request - The request; its body may already have been read if `platform.readBody` is set.
   * @param platform - Information that only the web framework has.
   */
  fetch(request: Request, platform?: FetchPlatform): Promise<Response>
}

/**
 * Creates a bridge that serves workflows and agents. Nothing is discovered or run before the first call. A missing
 * secret is not an error here: calls then fail with `SigningKeyNotFoundError`.
 *
 * @param options - Workflows and settings, which are read once and not modified.
 * @throws TypeError - An option is invalid.
 * @example
 * const bridge = createBridge({ workflows: [orderShipped] })
 * Deno.serve((request) => bridge.fetch(request))
 */
export function createBridge(options: BridgeOptions): Bridge {
  const registry = createRegistry(options)
  warnAtStart(registry)
  const answer = (call: BridgeCall): Promise<BridgeReply> => handle(registry, call)
  return Object.freeze({ handle: answer, fetch: toFetch(answer) })
}
