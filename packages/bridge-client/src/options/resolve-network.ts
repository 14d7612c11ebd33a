import { connect } from 'node:net'
import { createSecureContext, type SecureContext } from 'node:tls'
import { createLookup, type Lookup } from '../dns/lookup.ts'
import { createPolicy, offPolicy, type Policy, parseAllowList } from '../policy/policy.ts'
import type { ConnectionPool } from '../transport/connection-pool.ts'
import type { Connect } from '../transport/first-connection.ts'
import type { BridgeClientOptions, Endpoint } from './options.ts'

/** The options for all outgoing network access. */
export type NetworkOptions = Pick<
  BridgeClientOptions,
  | 'allow'
  | 'isClosed'
  | 'policy'
  | 'ca'
  | 'lookup'
  | 'connect'
  | 'connections'
  | 'timeoutMs'
  | 'maxAnswerBytes'
  | 'startTimer'
>

/** The network options with their defaults filled in. */
export interface ResolvedNetwork {
  readonly policy: Policy
  /** See {@link BridgeClientOptions.isClosed}. */
  readonly isClosed: (endpoint: Endpoint) => boolean
  /** The certificate authorities of {@link BridgeClientOptions.ca}, if set. */
  readonly secureContext: SecureContext | undefined
  /** See {@link BridgeClientOptions.lookup}. */
  readonly lookup: Lookup
  /** See {@link BridgeClientOptions.connect}. */
  readonly connect: Connect
  /** See {@link BridgeClientOptions.connections}. */
  readonly connections: ConnectionPool | undefined
  /** See {@link BridgeClientOptions.timeoutMs}. */
  readonly timeoutMs: number
  /** See {@link BridgeClientOptions.maxAnswerBytes}. */
  readonly maxAnswerBytes: number
  /** See {@link BridgeClientOptions.startTimer}. */
  readonly startTimer: (ms: number, onTimeout: () => void) => () => void
}

/**
 * Fills in the defaults of the network options.
 *
 * @throws TypeError - A range of the allow list is invalid.
 */
export function resolveNetwork(
  options: NetworkOptions,
  env: Readonly<Record<string, string | undefined>> = process.env,
): ResolvedNetwork {
  const { policy = 'on', ca, allow = parseAllowList(env['SERVICE_SAFE_OUTBOUND_ALLOW']) } = options
  return {
    policy: policy === 'off' ? offPolicy : createPolicy(allow),
    isClosed: options.isClosed ?? (() => false),
    secureContext: ca === undefined ? undefined : toSecureContext([ca].flat()),
    lookup: options.lookup ?? createLookup(),
    connect: options.connect ?? (({ address, port }) => connect({ host: address, port, noDelay: true })),
    connections: options.connections,
    timeoutMs: options.timeoutMs ?? 5000,
    maxAnswerBytes: options.maxAnswerBytes ?? 10 * 1024 * 1024,
    startTimer: options.startTimer ?? startTimer,
  }
}

const maxContexts = 16
const contexts = new Map<string, SecureContext>()

/**
 * Returns the same context for the same authorities, because clients can share connections only with the same context.
 */
function toSecureContext(ca: string[]): SecureContext {
  const key = ca.join('\n')
  const context = contexts.get(key) ?? createSecureContext({ ca })
  if (contexts.size < maxContexts) contexts.set(key, context)
  return context
}

/** Calls back once after a time. */
export function startTimer(ms: number, onTimeout: () => void): () => void {
  const timer = setTimeout(onTimeout, ms)
  return () => clearTimeout(timer)
}
