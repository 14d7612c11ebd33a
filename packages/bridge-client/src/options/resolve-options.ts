import { onAbort } from '../base/on-abort.ts'
import { toHost } from '../policy/policy.ts'
import { checkOptions, isFreeHeader } from './check-options.ts'
import type { BridgeClientOptions, BridgeLogger } from './options.ts'
import { type ResolvedNetwork, resolveNetwork, startTimer } from './resolve-network.ts'
import { toSignatureHeaders } from './signature-headers.ts'

/** The maximum size of an error response: a failed discovery lists all valid workflows. */
const maxFailureBytes = 1024 * 1024

/** On a terminal, prints the message before the details. */
const readable: BridgeLogger = { warn: (details, message) => console.warn(message, details) }

/** The options with their defaults filled in. */
export interface ResolvedOptions extends ResolvedNetwork {
  /** See {@link BridgeClientOptions.secretKey}. */
  readonly secretKey: string
  /** The saved URL; `''` if there is none. */
  readonly bridgeUrl: string
  readonly checkCertificates: boolean
  /** Returns whether a host belongs to a development tunnel. */
  readonly isTunnel: (host: string) => boolean
  /** The headers that carry the signature. */
  readonly signatureHeaders: readonly string[]
  /** The maximum size of an error response, in bytes. */
  readonly maxFailureBytes: number
  /** See {@link BridgeClientOptions.logger}. */
  readonly logger: BridgeLogger
  /** See {@link BridgeClientOptions.nowMs}. */
  readonly nowMs: () => number
  /** See {@link BridgeClientOptions.sleep}. */
  readonly sleep: (ms: number, signal: AbortSignal | undefined) => Promise<void>
}

/**
 * Fills in the defaults and validates the options.
 *
 * @throws TypeError - An option is missing, unknown or of the wrong type, or a range of the allow list is invalid.
 */
export function resolveOptions(options: BridgeClientOptions): ResolvedOptions {
  checkOptions(options, { owner: 'createBridgeClient', required: ['secretKey', 'environmentName'] })
  const tunnels = (options.tunnelHosts ?? []).map((host) => toHost(host.toLowerCase()))
  return {
    ...resolveNetwork(options),
    secretKey: options.secretKey,
    bridgeUrl: options.bridgeUrl ?? '',
    checkCertificates: options.environmentName.toLowerCase() !== 'development',
    isTunnel: (host) => tunnels.some((tunnel) => host === tunnel || host.endsWith(`.${tunnel}`)),
    signatureHeaders: checkHeaders(toSignatureHeaders(options.signatureHeader)),
    maxFailureBytes,
    logger: options.logger && options.logger !== console ? options.logger : readable,
    nowMs: options.nowMs ?? Date.now,
    sleep: options.sleep ?? sleepFor,
  }
}

function checkHeaders(headers: readonly string[]): readonly string[] {
  if (headers.every(isFreeHeader)) return headers
  throw new TypeError(
    `SERVICE_BRIDGE_SIGNATURE_HEADER must be a header name that the client does not send itself; got ${JSON.stringify(headers[0])}.`,
  )
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
