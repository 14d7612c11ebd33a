import type { BridgeOptions } from '../bridge/bridge-options.ts'
import { createRegistry } from '../bridge/registry.ts'
import type { BridgeCall, BridgeReply } from '../call/bridge-call.ts'
import { warnAtStart } from '../call/trust.ts'
import type { FetchPlatform } from './fetch.ts'
import { toFetch } from './fetch.ts'
import { handle } from './handle.ts'

/** A mounted set of workflows, with the functions that adapters call. */
export interface Bridge {
  /**
   * Answers a call. Never throws and never rejects.
   *
   * @param call - The request as plain data.
   */
  handle(call: BridgeCall): Promise<BridgeReply>
  /**
   * Answers a web-standard request. Never rejects.
   *
   * @param request - The request; its body may already be read if `platform.readBody` is set.
   * @param platform - Facts that only the web framework knows.
   */
  fetch(request: Request, platform?: FetchPlatform): Promise<Response>
}

/**
 * Creates a bridge of workflows and agents. Nothing is discovered or run before the first call, and a missing secret is
 * not an error here: calls are then answered with `SigningKeyNotFoundError`.
 *
 * @param options - Workflows and settings; they are read once and not changed.
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
