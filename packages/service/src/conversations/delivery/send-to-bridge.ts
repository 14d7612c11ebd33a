import { BridgeClientError, createBridgeClient } from '@trestle/bridge-client'
import type { BridgeSettings } from '../../bridge/bridge-port.ts'
import type { BridgeTarget } from '../../bridge/bridge-target.ts'
import { maskSecrets } from '../../bridge/mask-secrets.ts'
import type { Store } from '../../store/store.ts'
import { toClient, withSpan } from '../../traces/spans.ts'
import { toTraceHeaders } from '../../traces/trace-context.ts'
import { toAgentEvent } from './agent-event.ts'
import type { DeliverySender } from './delivery-outcome.ts'

/** Dependencies for sending events to bridges. */
export interface BridgeSenderPorts {
  readonly store: Store
  /** Settings of bridge calls. */
  readonly bridgeSettings: BridgeSettings
  /** Returns everything needed to call the bridge of an environment. */
  readonly loadTarget: (environmentId: string) => Promise<BridgeTarget>
  /** Returns the URL of this API for bridges. */
  readonly apiUrl: () => string
}

/** The maximum number of retries for a busy agent, which take a quarter of an hour. */
const maxBusyAttempts = 60
const firstBusyMs = 1_000
const longestBusyMs = 15_000

/**
 * Creates the sender of events to bridges, with the retries of the bridge client. A busy agent is retried later.
 *
 * @param ports - Dependencies.
 */
export function createBridgeSender({ store, bridgeSettings, loadTarget, apiUrl }: BridgeSenderPorts): DeliverySender {
  const { onAttempt: _, ...settings } = bridgeSettings
  return async (delivered, signal) => {
    const { conversation, delivery } = delivered
    const target = await loadTarget(conversation.environmentId)
    const body = await toAgentEvent(store.db, delivered, apiUrl())
    let failed = 0
    const client = createBridgeClient({
      ...settings,
      secretKey: target.secretKey,
      bridgeUrl: target.bridgeUrl,
      environmentName: target.name,
      logger: { warn: () => void failed++ },
    })
    try {
      const { agentId } = conversation
      const attributes = { 'trestle.action': 'agent-event', 'trestle.agent_id': agentId }
      await withSpan(toClient('bridge agent-event', attributes), () => {
        const trace = toTraceHeaders()
        return client.agentEvent({ agentId, event: delivery.event, body }, { signal, ...(trace && { trace }) })
      })
      return { attempts: failed + 1 }
    } catch (error) {
      if (!(error instanceof BridgeClientError)) throw error
      const message = String(maskSecrets(error.message, [...target.secrets, target.secretKey]))
      const fault = { code: error.code, message }
      const isBusy = error.code === 'AgentBusyError' && delivery.attempts < maxBusyAttempts
      const waitMs = Math.min(firstBusyMs * 2 ** Math.min(delivery.attempts, 10), longestBusyMs)
      return { attempts: Math.max(failed, 1), fault, ...(isBusy ? { retryMs: waitMs } : {}) }
    }
  }
}
