import type { BridgeOptions } from '../bridge/bridge-options.ts'
import { createRegistry } from '../bridge/registry.ts'
import type { BridgeCall, BridgeReply } from '../call/bridge-call.ts'
import { warnAtStart } from '../call/trust.ts'
import type { FetchPlatform } from './fetch.ts'
import { toFetch } from './fetch.ts'
import { handle } from './handle.ts'

/** A mounted set of workflows: the door adapters call. */
export interface Bridge {
  /**
   * Answers a call. Never throws and never rejects, whatever the call, the workflows or the options do.
   *
   * @param call - The request as plain data.
   */
  handle(call: BridgeCall): Promise<BridgeReply>
  /**
   * Answers a web-standard request. Never rejects.
   *
   * @param request - The request; its body may have been read if `platform.readBody` is given.
   * @param platform - What the web framework in front knows.
   */
  fetch(request: Request, platform?: FetchPlatform): Promise<Response>
}

/**
 * Creates a bridge of workflows. Nothing is discovered or run before a call asks for it, and a missing secret is no
 * fault here: calls are then answered with `SigningKeyNotFoundError`.
 *
 * @param options - Workflows and settings; they are read once and not changed.
 * @throws TypeError - An option has the wrong form.
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
