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

/** State of a call while it is handled; reply and hooks are built from it. */
interface Progress {
  info: CallInfo | undefined
  trust: Trust | undefined
  verified: boolean
}

/**
 * Answers a call. The only place that knows the order of the stages. Never throws and never rejects.
 *
 * @param registry - The bridge.
 * @param call - The request.
 * @source Protocol, "Order of checks".
 */
export function handle(registry: Registry, call: BridgeCall): Promise<BridgeReply> {
  const startMs = performance.now()
  const progress: Progress = { info: undefined, trust: undefined, verified: false }
  const deadline = createDeadline(registry.deadlines, registry.settings.timeoutMs)
  return new Promise((resolve) => {
    let done = false
    const finish = (reply: BridgeReply, code?: string): void => {
      // Ignore whatever settles after the timeout reply.
      if (done) return
      done = true
      deadline.clear()
      report(registry, progress.info ?? toCallInfo(call, undefined), {
        status: reply.status,
        code,
        durationMs: performance.now() - startMs,
      })
      resolve(reply)
    }
    const failWith = (thrown: unknown): void => {
      const error = toCodedError(thrown)
      const { info, trust } = progress
      if (!done && info && trust) reportRefusal(registry, { call, info, error, receivedAtMs: trust.nowMs })
      finish(fail(registry, call, { progress, error }), error.code)
    }
    deadline.onOutlasted(failWith)
    answer(registry, call, { progress, deadline })
      .then((body) => finish(toReply(print(body), { named: progress.verified, cors: corsOf(registry, call) })))
      .catch(failWith)
  })
}

/** A body that is text has been printed already. */
function print(body: unknown): string {
  return typeof body === 'string' ? body : JSON.stringify(body)
}

interface Course {
  readonly progress: Progress
  readonly deadline: Deadline
}

async function answer(registry: Registry, call: BridgeCall, { progress, deadline }: Course): Promise<unknown> {
  const admitted = admit(call)
  const info = toCallInfo(call, admitted.query)
  progress.info = info
  const { hooks } = registry.settings
  if (hooks?.onRequest) registry.notices.guard('onRequest', () => hooks.onRequest?.(info))
  if (admitted.method === 'OPTIONS') return {}
  const trust = resolveTrust(registry, { nowMs: Date.now(), env: call.env })
  progress.trust = trust
  if (admitted.method === 'GET' && admitted.query.action === 'health-check') {
    progress.verified = await isVerified(admitted, trust, deadline)
    return toHealth(registry, progress.verified || !trust.strict)
  }
  const verified = await verify(admitted, trust, deadline)
  progress.verified = verified.signed
  const { nowMs, secrets, environment } = trust
  return dispatch(registry, parse(verified), { deadline, nowMs, secrets, environment, info })
}

/** A health check is answered for anyone; only a signed one is told more. */
async function isVerified(admitted: AdmittedCall, trust: Trust, deadline: Deadline): Promise<boolean> {
  if (!trust.strict || !findSignature(admitted, trust)) return false
  try {
    return (await verify(admitted, trust, deadline)).signed
  } catch {
    return false
  }
}

function fail(
  registry: Registry,
  call: BridgeCall,
  { progress, error }: { readonly progress: Progress; readonly error: CodedError },
): BridgeReply {
  const production = progress.trust?.strict ?? true
  if (error.code === 'BridgeError') registry.notices.error('The bridge failed.', error.cause)
  if (error.code === 'NonceStoreUnavailableError') registry.notices.error('The nonce store failed.', error.cause)
  const code = codeOf(registry, call, error)
  return toErrorReply(error, { named: progress.verified, cors: corsOf(registry, call), production, code })
}

/** A service that has other codes is known by its header: the bridge may be called by several. */
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
    // A call whose headers cannot be read is answered all the same.
    return undefined
  }
}

function report(
  registry: Registry,
  info: CallInfo,
  outcome: { readonly status: number; readonly code: string | undefined; readonly durationMs: number },
): void {
  const onReply = registry.settings.hooks?.onReply
  if (!onReply) return
  const { action, workflowId, stepId, agentId } = info
  registry.notices.guard('onReply', () => onReply({ action, workflowId, stepId, agentId, ...outcome }, info))
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
