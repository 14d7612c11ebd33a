import type { CodedError } from '@trestle/protocol'
import type { CallInfo } from '../bridge/hooks.ts'
import type { Registry } from '../bridge/registry.ts'
import { type AdmittedCall, admit, type CallQuery } from '../call/admit.ts'
import type { BridgeCall, BridgeReply } from '../call/bridge-call.ts'
import { createDeadline, type Deadline } from '../call/deadline.ts'
import { toCorsHeaders } from '../call/origin.ts'
import { parse } from '../call/parse.ts'
import { resolveTrust, type Trust } from '../call/trust.ts'
import { findSignature, verify } from '../call/verify.ts'
import { dispatch } from './dispatch.ts'
import { toHealth } from './health.ts'
import { toCodedError, toErrorReply, toReply } from './reply.ts'
import { reportRefusal } from './report-refusal.ts'

/** The state of a call while it is handled; reply and hook reports are built from it. */
interface CallState {
  readonly registry: Registry
  readonly call: BridgeCall
  readonly deadline: Deadline
  /** When it arrived, on the clock of `performance.now()`. */
  readonly startMs: number
  readonly resolve: (reply: BridgeReply) => void
  info: CallInfo | undefined
  trust: Trust | undefined
  verified: boolean
  done: boolean
}

/**
 * Handles a call. This is the only place that defines the order of the stages. Never throws and never rejects.
 *
 * @source bridge-protocol.md#order-of-checks
 */
export function handle(registry: Registry, call: BridgeCall): Promise<BridgeReply> {
  return new Promise((resolve) => {
    const state = startCall(registry, call, resolve)
    const failWith = (thrown: unknown): void => fail(state, thrown)
    state.deadline.onOutlasted(failWith)
    answer(state).then((body) => conclude(state, body), failWith)
  })
}

function startCall(registry: Registry, call: BridgeCall, resolve: CallState['resolve']): CallState {
  const startMs = performance.now()
  const deadline = createDeadline(registry.deadlines, registry.settings.timeoutMs)
  return { registry, call, deadline, startMs, resolve, info: undefined, trust: undefined, verified: false, done: false }
}

function conclude(state: CallState, body: unknown): void {
  try {
    const { registry, call, verified } = state
    finish(state, toReply(print(body), { named: verified, cors: corsOf(registry, call) }), undefined)
  } catch (error) {
    fail(state, error)
  }
}

function fail(state: CallState, thrown: unknown): void {
  const error = toCodedError(thrown)
  const { registry, call, info, trust, done } = state
  if (!done && info && trust) reportRefusal(registry, { call, info, error, receivedAtMs: trust.nowMs })
  finish(state, toFailure(state, error), error.code)
}

/** Sends the response; later results, for example after a timeout, are ignored. */
function finish(state: CallState, reply: BridgeReply, code: string | undefined): void {
  if (state.done) return
  state.done = true
  state.deadline.clear()
  report(state, reply.status, code)
  state.resolve(reply)
}

/** Serializes a body as JSON; a string is already JSON. */
function print(body: unknown): string {
  return typeof body === 'string' ? body : JSON.stringify(body)
}

async function answer(state: CallState): Promise<unknown> {
  const { registry, call, deadline } = state
  const admitted = admit(call)
  const info = toCallInfo(call, admitted.query)
  state.info = info
  const { hooks } = registry.settings
  if (hooks?.onRequest) registry.notices.guard('onRequest', () => hooks.onRequest?.(info))
  if (admitted.method === 'OPTIONS') return {}
  const trust = resolveTrust(registry, { nowMs: Date.now(), env: call.env })
  state.trust = trust
  if (admitted.method === 'GET' && admitted.query.action === 'health-check') {
    state.verified = await isVerified(admitted, trust, deadline)
    return toHealth(registry, state.verified || !trust.strict)
  }
  const verified = await verify(admitted, trust, deadline)
  state.verified = verified.signed
  const { nowMs, secrets, environment } = trust
  return await dispatch(registry, parse(verified), { deadline, nowMs, secrets, environment, info })
}

/** Returns whether a health check is signed correctly: anyone may run one, but only a signed one returns details. */
async function isVerified(admitted: AdmittedCall, trust: Trust, deadline: Deadline): Promise<boolean> {
  if (!trust.strict || !findSignature(admitted.call, trust.bridge.settings.signatureHeaders)) return false
  try {
    return (await verify(admitted, trust, deadline)).signed
  } catch {
    return false
  }
}

function toFailure({ registry, call, trust, verified }: CallState, error: CodedError): BridgeReply {
  const production = trust?.strict ?? true
  if (error.code === 'BridgeError') registry.notices.error('The bridge failed.', error.cause)
  if (error.code === 'NonceStoreUnavailableError') registry.notices.error('The nonce store failed.', error.cause)
  const code = codeOf(registry, call, error)
  return toErrorReply(error, { named: verified, cors: corsOf(registry, call), production, code })
}

/**
 * Returns the code for a caller. The signature header identifies the calling service, and therefore which codes to use.
 */
function codeOf({ settings: { service } }: Registry, call: BridgeCall, { code }: CodedError): string {
  const other = service?.errorCodes?.[code]
  if (!service || other === undefined) return code
  try {
    return call.header(service.signatureHeader.toLowerCase()) ? other : code
  } catch {
    return code
  }
}

function corsOf(registry: Registry, call: BridgeCall): Readonly<Record<string, string>> | undefined {
  const { cors, signatureHeaders } = registry.settings
  if (cors === undefined) return undefined
  try {
    return toCorsHeaders(call, cors, signatureHeaders)
  } catch {
    // A call whose headers cannot be read still gets a response.
    return undefined
  }
}

function report({ registry, call, info, startMs }: CallState, status: number, code: string | undefined): void {
  const onReply = registry.settings.hooks?.onReply
  if (!onReply) return
  const callInfo = info ?? toCallInfo(call, undefined)
  const { action, workflowId, stepId, agentId } = callInfo
  const durationMs = performance.now() - startMs
  registry.notices.guard('onReply', () =>
    onReply({ action, workflowId, stepId, agentId, status, code, durationMs }, callInfo),
  )
}

function toCallInfo(call: BridgeCall, query: CallQuery | undefined): CallInfo {
  return {
    action: query?.action,
    workflowId: query?.workflowId,
    stepId: query?.stepId,
    agentId: query?.agentId,
    header: (name) => call.header(name) ?? undefined,
  }
}
