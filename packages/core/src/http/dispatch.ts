import { lazy } from '../base/lazy.ts'
import { findAgent, type Registry } from '../bridge/registry.ts'
import type { BridgeEvent } from '../call/bridge-event.ts'
import type { CallScope } from '../call/call-scope.ts'
import { execute } from '../run/execute.ts'
import { toHealth } from './health.ts'

// A process that only executes steps never loads the others.
const discovering = lazy(() => import('../discovery/discover.ts'))
const previewing = lazy(() => import('../run/preview.ts'))
const conversing = lazy(() => import('../turn/acknowledge.ts'))
const forwarding = lazy(() => import('./forward-trigger.ts'))

/**
 * Passes a call to the handler of its action.
 *
 * @returns The response body, or a promise of it: JSON text, or a value to serialize as JSON.
 */
export function dispatch(registry: Registry, event: BridgeEvent, scope: CallScope): unknown {
  switch (event.action) {
    case 'execute':
      return execute(registry, event, scope)
    case 'preview':
      return use(previewing(), ({ preview }) => preview(registry, event, scope))
    case 'discover':
      return use(discovering(), ({ discover }) => discover(registry, scope.deadline))
    case 'trigger':
      return use(forwarding(), ({ forward }) => forward(registry, event, scope))
    case 'agent-event':
      // A bridge without agents never loads the code that runs them.
      findAgent(registry, event.agentId)
      return use(conversing(), ({ acknowledge }) => acknowledge(registry, event, scope))
    case 'health-check':
      return toHealth(registry, true)
  }
}

function use<TModule>(module: TModule | Promise<TModule>, answer: (module: TModule) => unknown): unknown {
  return module instanceof Promise ? module.then(answer) : answer(module)
}
