import { CodedError } from '@trestle/protocol'
import type { Registry } from '../bridge/registry.ts'
import type { BridgeEvent } from '../call/bridge-event.ts'
import type { CallScope } from '../call/call-scope.ts'
import { discover } from '../discovery/discover.ts'
import { execute } from '../run/execute.ts'
import { preview } from '../run/preview.ts'
import { forward } from './forward-trigger.ts'
import { toHealth } from './health.ts'

/**
 * Hands a call to its action.
 *
 * @param registry - The bridge.
 * @param event - The call, parsed.
 * @param scope - The call's time and secrets.
 * @returns The body of the answer: JSON text, or what is to be printed as such.
 */
export function dispatch(registry: Registry, event: BridgeEvent, scope: CallScope): Promise<unknown> {
  switch (event.action) {
    case 'execute':
      return execute(registry, event, scope)
    case 'preview':
      return preview(registry, event, scope)
    case 'discover':
      return discover(registry, scope.deadline)
    case 'trigger':
      return forward(registry, event, scope)
    case 'agent-event':
      throw new CodedError('AgentNotFoundError', `There is no agent "${event.agentId ?? ''}" in this bridge.`)
    case 'health-check':
      return Promise.resolve(toHealth(registry, true))
  }
}
