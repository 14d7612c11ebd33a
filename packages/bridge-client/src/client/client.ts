import type { DiscoverReply, ExecuteEvent, HealthReply, JsonObject, StepReply } from '@trestle/protocol'
import { type BridgeCall, toLazyText } from '../transport/bridge-call.ts'
import { callBridge } from './call.ts'
import { type BridgeClientOptions, resolveOptions } from './options.ts'
import { syncBridge } from './sync.ts'

/** Which step is meant, and the event it is given. */
export interface StepCall {
  /** The workflow's id. */
  readonly workflowId: string
  /** The step's id. */
  readonly stepId: string
  /** The event; parts that are missing count as empty. */
  readonly event: Partial<ExecuteEvent>
}

/** Which agent is meant, and what is told to it. */
export interface AgentCall {
  /** The agent's id. */
  readonly agentId: string
  /** The kind of event. */
  readonly event: string
  /** The event's content. */
  readonly body: JsonObject
}

/** How one call may differ. */
export interface BridgeCallOptions {
  /** Ends the call and its waiting; it then rejects with the signal's reason. */
  readonly signal?: AbortSignal
}

/** Calls one environment's bridge. Every method rejects with a `BridgeClientError`, `sync` with a `BridgeSyncError`. */
export interface BridgeClient {
  /** Asks for all workflows and agents. One retry. */
  discover(options?: BridgeCallOptions): Promise<DiscoverReply>
  /** Asks whether the bridge is up; the only call without a signature. One retry. */
  healthCheck(options?: BridgeCallOptions): Promise<HealthReply>
  /** Renders a step on sample data. One retry. */
  preview(call: StepCall, options?: BridgeCallOptions): Promise<StepReply>
  /** Runs a step. Three retries. */
  execute(call: StepCall, options?: BridgeCallOptions): Promise<StepReply>
  /** Tells an agent of an event. Three retries. */
  agentEvent(call: AgentCall, options?: BridgeCallOptions): Promise<JsonObject>
  /**
   * Checks a URL and discovers the bridge behind it, so that the caller can store it. One retry.
   *
   * @param bridgeUrl - The URL. Default: the client's own.
   */
  sync(bridgeUrl?: string, options?: BridgeCallOptions): Promise<DiscoverReply>
}

/**
 * Makes the service's client of one environment's bridge.
 *
 * @param options - Secret, URL, environment, policy and limits.
 * @throws TypeError - The secret is empty, or a range of the allow list cannot be read.
 * @source Specification, "Bridge application interface".
 *
 * @example
 * const client = createBridgeClient({ secretKey, bridgeUrl, environmentName: 'Production' })
 * const { outputs } = await client.execute({ workflowId: 'order-shipped', stepId: 'mail', event: { payload } })
 */
export function createBridgeClient(options: BridgeClientOptions): BridgeClient {
  const resolved = resolveOptions(options)
  return Object.freeze<BridgeClient>({
    discover: ({ signal } = {}) => callBridge({ action: 'discover', query: {} }, resolved, signal),
    healthCheck: ({ signal } = {}) => callBridge({ action: 'health-check', query: {} }, resolved, signal),
    preview: (call, { signal } = {}) => callBridge(toStepCall('preview', call), resolved, signal),
    execute: (call, { signal } = {}) => callBridge(toStepCall('execute', call), resolved, signal),
    agentEvent({ agentId, event, body }, { signal } = {}) {
      const query = { agentId, event }
      return callBridge({ action: 'agent-event', query, toText: toLazyText(body) }, resolved, signal)
    },
    sync: (bridgeUrl = resolved.bridgeUrl, { signal } = {}) => syncBridge({ ...resolved, bridgeUrl }, signal),
  })
}

function toStepCall<TAction extends 'execute' | 'preview'>(action: TAction, call: StepCall): BridgeCall<TAction> {
  const { workflowId, stepId, event } = call
  return { action, query: { workflowId, stepId }, toText: toLazyText(event) }
}
