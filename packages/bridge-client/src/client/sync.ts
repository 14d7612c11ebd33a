import type { DiscoverReply } from '@trestle/protocol'
import { BridgeClientError, type FailureCause } from '../failure/error.ts'
import type { ResolvedOptions } from '../options/resolve-options.ts'
import type { TraceHeaders } from '../transport/bridge-call.ts'
import type { ConnectionPool } from '../transport/connection-pool.ts'
import type { Connect } from '../transport/first-connection.ts'
import { callBridge } from './call.ts'

/** Reports that a sync failed: always status 400, and a body that is only a message. */
export class BridgeSyncError extends Error {
  /** HTTP status, independent of the bridge's response. */
  readonly status = 400
  /** The whole response body. */
  readonly body: { readonly message: string }

  /**
   * @param message - The reason, or the bridge's error message.
   * @param cause - The failure of the call, for the log.
   */
  constructor(message: string, cause: unknown) {
    super(message, { cause })
    this.name = 'BridgeSyncError'
    this.body = Object.freeze({ message })
  }
}

/** Returns why a URL is rejected before connecting, by failure code. */
const reasons: Readonly<Record<string, (cause: FailureCause | undefined) => string>> = {
  InvalidBridgeUrl: () => 'invalid URL format',
  INVALID_URL: () => 'invalid URL format',
  UNSUPPORTED_SCHEME: () => 'scheme not allowed (only http and https permitted)',
  CREDENTIALS_IN_URL: () => 'embedded credentials not allowed',
  UnsupportedProtocol: () => 'scheme not allowed (only http and https permitted)',
  BLOCKED_HOSTNAME: () => 'host not allowed',
  PRIVATE_IP: (cause) => `private or reserved IP address not allowed (${cause?.address ?? 'unknown'})`,
}

interface SyncCall {
  readonly signal?: AbortSignal
  readonly trace?: TraceHeaders
}

/**
 * Checks a URL and discovers its bridge, so that it can be saved.
 *
 * @param options - The options of the client; `bridgeUrl` is the URL to check.
 * @param call - Options of this call: its trace, and a signal that aborts it; it then rejects with the signal's reason.
 * @throws BridgeSyncError - The URL is rejected, or the call failed.
 * @source service-api.md#sync-errors
 */
export async function syncBridge(options: ResolvedOptions, call: SyncCall | null | undefined): Promise<DiscoverReply> {
  const trace = call?.trace
  let hasConnected = false
  const connect: Connect = (target) => {
    hasConnected = true
    return options.connect(target)
  }
  const connections: ConnectionPool | undefined = options.connections && {
    take(suitable) {
      const idle = options.connections?.take(suitable)
      hasConnected ||= idle !== undefined
      return idle
    },
    keep: (...kept) => options.connections?.keep(...kept),
    close: () => options.connections?.close(),
  }
  try {
    const discover = { action: 'discover', query: {}, ...(trace && { trace }) } as const
    return await callBridge(discover, { ...options, connect, connections }, call?.signal ?? undefined)
  } catch (error) {
    if (!(error instanceof BridgeClientError)) throw error
    const { code, cause } = error
    const reason = hasConnected || !Object.hasOwn(reasons, code) ? undefined : reasons[code]?.(cause)
    throw new BridgeSyncError(reason === undefined ? error.message : `bridgeUrl: ${reason}`, error)
  }
}
