import { BridgeClientError, type BridgeClientOptions, createBridgeClient } from '@trestle/bridge-client'
import { type JsonObject, parseUrl, type StepReply } from '@trestle/protocol'
import type { BridgeFailure, BridgeOutcome, BridgePort, BridgeStepCall, FailedAttempt } from './bridge-call.ts'
import type { BridgeTarget } from './bridge-target.ts'
import { maskSecrets } from './mask-secrets.ts'

/** How bridges are called: the network policy, limits and clocks of the client of bridges. */
export type BridgeSettings = Omit<BridgeClientOptions, 'secretKey' | 'bridgeUrl' | 'environmentName' | 'logger'> & {
  /** Where failed attempts are told, beside the record of the call. @default nowhere */
  readonly onAttempt?: (attempt: FailedAttempt, call: BridgeStepCall) => void
}

/**
 * Creates the engine's way to bridges, over the client of bridges.
 *
 * @param settings - Network policy, limits and clocks.
 */
export function createBridgePort(settings: BridgeSettings = {}): BridgePort {
  return { callStep: (call) => callStep(call, settings) }
}

async function callStep(call: BridgeStepCall, { onAttempt, ...settings }: BridgeSettings): Promise<BridgeOutcome> {
  const { target, action, workflowId, stepId, signal } = call
  const attempts: FailedAttempt[] = []
  const logger = {
    warn(details: object): void {
      const attempt = toAttempt(details as JsonObject)
      attempts.push(attempt)
      onAttempt?.(attempt, call)
    },
  }
  const bridgeUrl = call.bridgeUrl ?? target.bridgeUrl
  const client = createBridgeClient({
    ...settings,
    secretKey: target.secretKey,
    bridgeUrl,
    environmentName: target.name,
    logger,
  })
  const env = { name: target.name, type: target.type, ...variablesFor(target, bridgeUrl) }
  const event = { ...call.event, env }
  const startedMs = performance.now()
  const note = (reply: object, status: number) => {
    const secrets = [...target.secrets, target.secretKey]
    return {
      url: toShownUrl(bridgeUrl),
      request: maskSecrets({ action, workflowId, stepId, event }, secrets) as JsonObject,
      reply: maskSecrets(reply, secrets) as JsonObject,
      status,
      durationMs: performance.now() - startedMs,
      attempts,
    }
  }
  try {
    const reply = toReply(await client[action]({ workflowId, stepId, event }, signal ? { signal } : {}))
    return { reply, record: note(reply, 200) }
  } catch (error) {
    if (!(error instanceof BridgeClientError)) throw error
    const failure = toFailure(error)
    return { failure, record: note(failure, failure.status) }
  }
}

/** The bridge of a trigger is whatever its caller names: it gets no secret variables, unless it is the environment's own. */
function variablesFor({ variables, secretKeys, bridgeUrl }: BridgeTarget, calledUrl: string | null): JsonObject {
  if (calledUrl === bridgeUrl) return variables
  return Object.fromEntries(Object.entries(variables).filter(([key]) => !secretKeys.includes(key)))
}

/** Fills in what bridges of other versions leave out; that there are outputs the client has seen. */
function toReply(answer: StepReply): StepReply {
  const { providers, options } = answer as Partial<StepReply>
  return { ...answer, providers: providers ?? {}, options: { skip: options?.skip === true } }
}

function toFailure({ code, status, message, data }: BridgeClientError): BridgeFailure {
  return { code, status, message, data }
}

function toAttempt({ attempt, code, status, waitMs }: JsonObject): FailedAttempt {
  return {
    attempt: Number(attempt),
    code: String(code),
    status: Number(status),
    waitMs: typeof waitMs === 'number' ? waitMs : null,
  }
}

function toShownUrl(url: string | null): string {
  if (url === null) return '(none)'
  const parsed = parseUrl(url)
  if (parsed === undefined) return '(not a URL)'
  const { protocol, host, pathname } = parsed
  return `${protocol}//${host}${pathname}`
}
