import {
  type DiscoverReply,
  type HealthReply,
  isObject,
  type JsonObject,
  type NextEvent,
  type NextReply,
  type StepReply,
} from '@trestle/protocol'
import { toPlainError } from '../base/plain-error.ts'
import { createFailure } from '../failure/error.ts'
import type { BridgeClientOptions, BridgeLogger } from '../options/options.ts'
import { resolveOptions } from '../options/resolve-options.ts'
import { toDisplayUrl } from '../policy/display-url.ts'
import { type BridgeCall, type BridgeReplies, type TraceHeaders, toLazyText } from '../transport/bridge-call.ts'
import { callBridge } from './call.ts'
import { syncBridge } from './sync.ts'

/** Names a step, with the event it receives. */
export interface StepCall {
  readonly workflowId: string
  readonly stepId: string
  /** The event; missing parts count as empty. `next` requests a step that an earlier reply to `next` returned. */
  readonly event: Partial<NextEvent>
}

/** Names a workflow whose run continues, with the event it receives. */
export interface RunCall {
  readonly workflowId: string
  /** The event; parts that are missing count as empty. */
  readonly event: Partial<Omit<NextEvent, 'next'>>
}

/** Names an agent, with the event it receives. */
export interface AgentCall {
  readonly agentId: string
  /** The kind of event. */
  readonly event: string
  /** The event's content. */
  readonly body: JsonObject
}

/** The options of one call. */
export interface BridgeCallOptions {
  /** Aborts the call, including its waits; it then rejects with the signal's reason. */
  readonly signal?: AbortSignal
  /** Receives the failed attempts of this call. @default that of the client */
  readonly logger?: BridgeLogger
  /** The trace that the bridge continues. It is not signed. @default none */
  readonly trace?: TraceHeaders
}

/** Calls the bridge of one environment. Every method rejects with the reason of its signal if that aborts. */
export interface BridgeClient {
  /**
   * Returns all workflows and agents. One retry.
   *
   * @throws BridgeClientError - The last attempt failed, or the call could not be made.
   */
  discover(options?: BridgeCallOptions): Promise<DiscoverReply>
  /**
   * Checks whether the bridge is up; the only call without a signature. One retry.
   *
   * @throws BridgeClientError - The last attempt failed, or the call could not be made.
   */
  healthCheck(options?: BridgeCallOptions): Promise<HealthReply>
  /**
   * Renders a step with sample data. One retry.
   *
   * @throws BridgeClientError - The last attempt failed, or the call could not be made.
   */
  preview(call: StepCall, options?: BridgeCallOptions): Promise<StepReply>
  /**
   * Runs a step. Three retries.
   *
   * @throws BridgeClientError - The last attempt failed, or the call could not be made.
   */
  execute(call: StepCall, options?: BridgeCallOptions): Promise<StepReply>
  /**
   * Continues a run: runs its only open step, or returns the steps to execute by id. Three retries. Only bridges with the
   * capability `next` understand it.
   *
   * @throws BridgeClientError - The last attempt failed, or the call could not be made.
   */
  next(call: RunCall, options?: BridgeCallOptions): Promise<NextReply>
  /**
   * Sends an event to an agent. Three retries.
   *
   * @throws BridgeClientError - The last attempt failed, or the call could not be made.
   */
  agentEvent(call: AgentCall, options?: BridgeCallOptions): Promise<JsonObject>
  /**
   * Checks a URL and discovers its bridge, so that the caller can save both. One retry.
   *
   * @param bridgeUrl - The URL to check. Default: the client's own.
   * @throws BridgeSyncError - The URL is rejected, or the call failed.
   */
  sync(bridgeUrl?: string, options?: BridgeCallOptions): Promise<DiscoverReply>
}

/**
 * Creates the client for the bridge of one environment.
 *
 * @param options - Secret, URL, environment, policy and limits.
 * @throws TypeError - An option is missing, unknown or of the wrong type, or a range of the allow list is invalid.
 * @source bridge-protocol.md#requests
 *
 * @example
 * const client = createBridgeClient({ secretKey, bridgeUrl, environmentName: 'Production' })
 * const { outputs } = await client.execute({ workflowId: 'order-shipped', stepId: 'mail', event: { payload } })
 */
export function createBridgeClient(options: BridgeClientOptions): BridgeClient {
  const resolved = resolveOptions(options)
  // Async throughout, so that an invalid argument rejects like any other failure.
  const call = async <TAction extends keyof BridgeReplies>(
    toCall: () => BridgeCall<TAction>,
    callOptions: BridgeCallOptions | undefined,
  ): Promise<BridgeReplies[TAction]> => {
    const signal = toSignal(callOptions)
    if (signal instanceof AbortSignal) signal.throwIfAborted()
    const logger = callOptions?.logger ?? resolved.logger
    const trace = callOptions?.trace
    return callBridge({ ...prepare(toCall), ...(trace && { trace }) }, { ...resolved, logger }, signal)
  }
  const prepare = <TAction extends keyof BridgeReplies>(toCall: () => BridgeCall<TAction>): BridgeCall<TAction> => {
    try {
      return toCall()
    } catch (error) {
      const reason = `invalid argument: ${toPlainError(error).message}`
      throw createFailure('RequestCacheError', toDisplayUrl(resolved.bridgeUrl), { reason })
    }
  }
  return Object.freeze<BridgeClient>({
    discover: (callOptions) => call(() => ({ action: 'discover', query: {} }), callOptions),
    healthCheck: (callOptions) => call(() => ({ action: 'health-check', query: {} }), callOptions),
    preview: (step, callOptions) => call(() => toStepCall('preview', step), callOptions),
    execute: (step, callOptions) => call(() => toStepCall('execute', step), callOptions),
    next: (run, callOptions) => call(() => toRunCall(run), callOptions),
    agentEvent: (agent, callOptions) => call(() => toAgentCall(agent), callOptions),
    sync: async (bridgeUrl = resolved.bridgeUrl, callOptions) =>
      syncBridge({ ...resolved, bridgeUrl, logger: callOptions?.logger ?? resolved.logger }, callOptions),
  })
}

function toSignal(options: BridgeCallOptions | null | undefined): AbortSignal | undefined {
  return options?.signal ?? undefined
}

function toStepCall<TAction extends 'execute' | 'preview'>(action: TAction, call: StepCall): BridgeCall<TAction> {
  const { workflowId, stepId, event } = toFields(call, 'workflowId, stepId and event')
  const query = { workflowId: toText(workflowId, 'workflowId'), stepId: toText(stepId, 'stepId') }
  return { action, query, toText: toLazyText(toFields(event, 'an event object')) }
}

function toRunCall(call: RunCall): BridgeCall<'next'> {
  const { workflowId, event } = toFields(call, 'workflowId and event')
  const text = toLazyText({ ...toFields(event, 'an event object'), next: true })
  return { action: 'next', query: { workflowId: toText(workflowId, 'workflowId') }, toText: text }
}

function toAgentCall(call: AgentCall): BridgeCall<'agent-event'> {
  const { agentId, event, body } = toFields(call, 'agentId, event and body')
  const query = { agentId: toText(agentId, 'agentId'), event: toText(event, 'event') }
  return { action: 'agent-event', query, toText: toLazyText(toFields(body, 'an event body object')) }
}

function toText(value: unknown, name: string): string {
  // A query cannot represent an unpaired surrogate, and would name a different step.
  if (typeof value === 'string' && value !== '' && !/\p{Surrogate}/u.test(value)) return value
  throw new TypeError(`${name} must be a non-empty string without unpaired surrogates`)
}

function toFields(value: unknown, fields: string): Record<string, unknown> {
  if (isObject(value)) return value
  throw new TypeError(`expected an object with ${fields}`)
}
