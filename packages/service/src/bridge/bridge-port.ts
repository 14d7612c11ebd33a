import {
  type BridgeCallOptions,
  type BridgeClient,
  BridgeClientError,
  type BridgeClientOptions,
  createBridgeClient,
} from '@trestle/bridge-client'
import { type JsonObject, type NextEvent, type NextReply, parseUrl, type StepReply } from '@trestle/protocol'
import { markDataBraces } from '../templates/data-braces.ts'
import { toTraceHeaders } from '../traces/trace-context.ts'
import type {
  BridgeFailure,
  BridgeOutcome,
  BridgePort,
  BridgeRunCall,
  FailedAttempt,
  MarkedTexts,
} from './bridge-call.ts'
import { toEnvironment } from './call-environment.ts'
import { maskSecrets } from './mask-secrets.ts'

/** Settings of bridge calls: network policy, limits and clocks. */
export type BridgeSettings = Omit<BridgeClientOptions, 'secretKey' | 'bridgeUrl' | 'environmentName' | 'logger'> & {
  /** Receives failed attempts, in addition to the call's record. @default none */
  readonly onAttempt?: (attempt: FailedAttempt, call: BridgeRunCall) => void
}

/**
 * Creates the engine's bridge port, based on the bridge client.
 *
 * @param settings - Network policy, limits and clocks.
 */
export function createBridgePort({ onAttempt, ...settings }: BridgeSettings = {}): BridgePort {
  const given = { onAttempt, findClient: createClients(settings) }
  return {
    callStep: (call) => {
      const { action, workflowId, stepId } = call
      const named = { action, workflowId, stepId }
      const ask: Ask<StepReply> = async (client, event, options) =>
        toReply(await client[action]({ workflowId, stepId, event }, options))
      return callBridge(call, given, { named, ask })
    },
    callRun: (call) => {
      const { workflowId } = call
      const named = { action: 'execute', workflowId }
      const ask: Ask<NextReply> = async (client, { next: _, ...event }, options) => {
        const reply = await client.next({ workflowId, event }, options)
        return 'step' in reply ? { ...reply, ...toReply(reply) } : reply
      }
      return callBridge(call, given, { named, ask })
    },
  }
}

type FindClient = (options: Pick<BridgeClientOptions, 'secretKey' | 'bridgeUrl' | 'environmentName'>) => BridgeClient

const keptClients = 100

/**
 * Returns a function that creates each client only once, because checking its options costs as much as several calls.
 */
function createClients(settings: Omit<BridgeSettings, 'onAttempt'>): FindClient {
  const clients = new Map<string, BridgeClient>()
  return (options) => {
    const key = JSON.stringify(options)
    const client = clients.get(key) ?? createBridgeClient({ ...settings, ...options })
    const oldest = clients.keys().next().value
    if (!clients.has(key) && clients.size >= keptClients && oldest !== undefined) clients.delete(oldest)
    clients.set(key, client)
    return client
  }
}

type Ask<TReply> = (client: BridgeClient, event: Partial<NextEvent>, options: BridgeCallOptions) => Promise<TReply>

interface CallSettings {
  readonly onAttempt: BridgeSettings['onAttempt'] | undefined
  readonly findClient: FindClient
}

interface Asked<TReply> {
  /** The parameters of the call, for its record. */
  readonly named: JsonObject
  readonly ask: Ask<TReply>
}

async function callBridge<TReply extends StepReply | NextReply>(
  call: BridgeRunCall,
  { onAttempt, findClient }: CallSettings,
  { named, ask }: Asked<TReply>,
): Promise<BridgeOutcome<TReply>> {
  const { target, signal } = call
  const attempts: FailedAttempt[] = []
  const logger = {
    warn(details: object): void {
      const attempt = toAttempt(details as JsonObject)
      attempts.push(attempt)
      onAttempt?.(attempt, call)
      if (attempt.waitMs !== null) call.onRetry?.(attempt)
    },
  }
  const bridgeUrl = call.bridgeUrl ?? target.bridgeUrl
  const { secretKey, name: environmentName } = target
  const client = findClient({ secretKey, bridgeUrl, environmentName })
  const event = { ...call.event, env: toEnvironment(call, bridgeUrl) }
  const startedMs = performance.now()
  const note = (reply: object, status: number) => {
    const secrets = [...target.secrets, secretKey]
    return {
      url: toDisplayUrl(bridgeUrl),
      request: maskSecrets({ ...named, event }, secrets) as JsonObject,
      reply: maskSecrets(reply, secrets) as JsonObject,
      status,
      durationMs: performance.now() - startedMs,
      attempts,
    }
  }
  try {
    const trace = toTraceHeaders()
    const reply = await ask(client, event, { logger, ...(signal && { signal }), ...(trace && { trace }) })
    return { reply, ...markReply(reply, call), record: note(reply, 200) }
  } catch (error) {
    if (!(error instanceof BridgeClientError)) throw error
    const failure = toFailure(error)
    return { failure, record: note(failure, failure.status) }
  }
}

/**
 * Escapes double braces that come from data. Controls are templates; everything else that was sent to the bridge is
 * data.
 */
function markReply(reply: StepReply | NextReply, { event }: BridgeRunCall): { readonly marked?: MarkedTexts } {
  if (!('outputs' in reply) || !JSON.stringify(reply).includes('{{')) return {}
  const { controls: _, stepControls: __, ...data }: JsonObject = event
  return { marked: markDataBraces({ outputs: reply.outputs, providers: reply.providers }, data) }
}

/** Fills in fields that older bridge versions omit. The client has already validated the outputs. */
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

function toDisplayUrl(url: string | null): string {
  if (url === null) return '(none)'
  const parsed = parseUrl(url)
  if (parsed === undefined) return '(not a URL)'
  const { protocol, host, pathname } = parsed
  return `${protocol}//${host}${pathname}`
}
