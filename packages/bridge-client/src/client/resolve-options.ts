import { connect } from 'node:net'
import { createSecureContext, type SecureContext } from 'node:tls'
import { signatureHeader } from '@trestle/protocol'
import { onAbort } from '../base/on-abort.ts'
import { createLookup, type Lookup } from '../dns/lookup.ts'
import { createPolicy, offPolicy, type Policy, parseAllowList, toHost } from '../policy/policy.ts'
import type { Connect } from '../transport/first-connection.ts'
import { checkOptions } from './check-options.ts'
import type { BridgeClientOptions, BridgeLogger } from './options.ts'

/** The largest body of a failure: a failed discovery lists the workflows that are sound. */
const maxFailureBytes = 1024 * 1024

/** The options with their defaults filled in. */
export interface ResolvedOptions {
  /** See {@link BridgeClientOptions.secretKey}. */
  readonly secretKey: string
  /** The stored URL; `''` where there is none. */
  readonly bridgeUrl: string
  /** Whether certificates are checked. */
  readonly checkCertificates: boolean
  /** The outbound address policy. */
  readonly policy: Policy
  /** Returns whether a host is a development tunnel's. */
  readonly isTunnel: (host: string) => boolean
  /** See {@link BridgeClientOptions.signatureHeader}. */
  readonly signatureHeader: string
  /** See {@link BridgeClientOptions.timeoutMs}. */
  readonly timeoutMs: number
  /** See {@link BridgeClientOptions.maxAnswerBytes}. */
  readonly maxAnswerBytes: number
  /** The largest body of a failure that is read, bytes. */
  readonly maxFailureBytes: number
  /** Holds {@link BridgeClientOptions.ca}, where there is one. */
  readonly secureContext: SecureContext | undefined
  /** See {@link BridgeClientOptions.logger}. */
  readonly logger: BridgeLogger
  /** See {@link BridgeClientOptions.lookup}. */
  readonly lookup: Lookup
  /** See {@link BridgeClientOptions.connect}. */
  readonly connect: Connect
  /** See {@link BridgeClientOptions.nowMs}. */
  readonly nowMs: () => number
  /** See {@link BridgeClientOptions.sleep}. */
  readonly sleep: (ms: number, signal: AbortSignal | undefined) => Promise<void>
  /** See {@link BridgeClientOptions.startTimer}. */
  readonly startTimer: (ms: number, onTimeout: () => void) => () => void
}

/**
 * Fills in the defaults and checks what would fail later.
 *
 * @param options - As the user wrote them.
 * @param env - The environment's variables.
 * @throws TypeError - An option is missing, unknown or of the wrong kind, or a range of the allow list cannot be read.
 */
export function resolveOptions(
  options: BridgeClientOptions,
  env: Readonly<Record<string, string | undefined>> = process.env,
): ResolvedOptions {
  checkOptions(options)
  const { secretKey, environmentName, policy = 'on', tunnelHosts = [], ca } = options
  const allow = options.allow ?? parseAllowList(env['SERVICE_SAFE_OUTBOUND_ALLOW'])
  const tunnels = tunnelHosts.map((host) => toHost(host.toLowerCase()))
  return {
    secretKey,
    bridgeUrl: options.bridgeUrl ?? '',
    checkCertificates: environmentName.toLowerCase() !== 'development',
    policy: policy === 'off' ? offPolicy : createPolicy(allow),
    isTunnel: (host) => tunnels.some((tunnel) => host === tunnel || host.endsWith(`.${tunnel}`)),
    signatureHeader: options.signatureHeader ?? signatureHeader,
    timeoutMs: options.timeoutMs ?? 5000,
    maxAnswerBytes: options.maxAnswerBytes ?? 10 * 1024 * 1024,
    maxFailureBytes,
    secureContext: ca === undefined ? undefined : createSecureContext({ ca: [ca].flat() }),
    logger: options.logger ?? console,
    lookup: options.lookup ?? createLookup(),
    connect: options.connect ?? (({ address, port }) => connect({ host: address, port, noDelay: true })),
    nowMs: options.nowMs ?? Date.now,
    sleep: options.sleep ?? sleepFor,
    startTimer: options.startTimer ?? startTimer,
  }
}

function sleepFor(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const stopTimer = startTimer(ms, () => {
      stopListening()
      resolve()
    })
    const stopListening = onAbort(signal, () => {
      stopTimer()
      reject(signal?.reason)
    })
  })
}

function startTimer(ms: number, onTimeout: () => void): () => void {
  const timer = setTimeout(onTimeout, ms)
  return () => clearTimeout(timer)
}
