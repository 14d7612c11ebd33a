import {
  type Action,
  actionMethods,
  type DiscoverReply,
  type HealthReply,
  type JsonObject,
  type NextReply,
  type StepReply,
  sign,
} from '@trestle/protocol'
import type { WireRequest } from './exchange.ts'

/** Maps each kind of call to its response. */
export interface BridgeReplies {
  /** Whether the bridge is up. */
  'health-check': HealthReply
  discover: DiscoverReply
  /** The outputs of a step. */
  execute: StepReply
  /** The next action of a run. */
  next: NextReply
  /** The outputs of a step for sample data. */
  preview: StepReply
  'agent-event': JsonObject
}

/** The headers of W3C Trace Context. */
export interface TraceHeaders {
  readonly traceparent: string
  readonly tracestate?: string
}

/** A bridge call before it is signed. */
export interface BridgeCall<TAction extends keyof BridgeReplies = keyof BridgeReplies> {
  /** The kind of call: an action of the bridge, or `next`, which is `execute` without a step. */
  readonly action: TAction
  /** Further query parameters, for example `workflowId` and `stepId`. */
  readonly query: Readonly<Record<string, string>>
  /** Returns the event as text, the same for every attempt; absent for a GET. */
  readonly toText?: () => string
  /** The trace that the bridge continues. */
  readonly trace?: TraceHeaders
}

/** How calls are signed. */
export interface SigningOptions {
  readonly secretKey: string
  /** The headers that carry the signature. */
  readonly signatureHeaders: readonly string[]
  /** The clock, milliseconds since 1970. */
  readonly nowMs: () => number
}

/** A request before its signature. */
export interface UnsignedRequest {
  readonly method: string
  readonly url: URL
  /** The exact text to send; absent for a GET. */
  readonly body: string | undefined
  /** Whether it carries a signature. */
  readonly isSigned: boolean
  /** The trace that the bridge continues; never sent to another host. */
  readonly trace?: TraceHeaders
}

/**
 * Returns a function that serializes an event once, when first needed: the signed text is the sent text, in every
 * attempt.
 *
 * @param event - Any JSON-serializable value; for others, the returned function throws.
 */
export function toLazyText(event: unknown): () => string {
  let cached: string | undefined
  return () => {
    cached ??= JSON.stringify(event)
    // A toJSON method may return anything.
    if (cached?.startsWith('{') !== true) throw new TypeError('The event cannot be serialized as a JSON object.')
    return cached
  }
}

/**
 * Returns the initial request of a call, before any redirect. Keeps the query of the bridge URL; parameters of the call
 * take precedence.
 *
 * @throws Errors from `JSON.stringify`.
 * @source bridge-protocol.md#requests
 */
export function toRequest(call: BridgeCall, bridgeUrl: URL): UnsignedRequest {
  const url = new URL(bridgeUrl)
  const action: Action = call.action === 'next' ? 'execute' : call.action
  for (const [name, value] of Object.entries({ ...call.query, action })) url.searchParams.set(name, value)
  // The bridge URL's own query must not name a step if the call names none.
  if (call.action === 'next') url.searchParams.delete('stepId')
  const method = actionMethods[action]
  const { trace } = call
  return { method, url, body: call.toText?.(), isSigned: call.action !== 'health-check', ...(trace && { trace }) }
}

/**
 * Signs the exact text of a request with the current time.
 *
 * @source bridge-protocol.md#signature
 */
export async function signRequest(unsigned: UnsignedRequest, options: SigningOptions): Promise<WireRequest> {
  const { method, url, body, isSigned, trace } = unsigned
  const { secretKey, signatureHeaders, nowMs } = options
  const headers: Record<string, string> = { accept: 'application/json', 'accept-encoding': 'identity' }
  if (body !== undefined) headers['content-type'] = 'application/json'
  if (trace) headers['traceparent'] = trace.traceparent
  if (trace?.tracestate !== undefined) headers['tracestate'] = trace.tracestate
  if (!isSigned) return { method, url, body, headers }
  const signature = await sign(secretKey, body ?? '{}', { nowMs: nowMs() })
  for (const name of signatureHeaders) headers[name] = signature
  return { method, url, body, headers }
}
