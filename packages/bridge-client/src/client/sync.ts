import type { DiscoverReply } from '@trestle/protocol'
import { BridgeClientError } from '../failure/error.ts'
import type { FailureCode } from '../failure/failure.ts'
import { deadline, isFault } from '../failure/fault.ts'
import type { Refusal } from '../policy/policy.ts'
import { resolveTarget } from '../policy/target.ts'
import { callBridge } from './call.ts'
import type { ResolvedOptions } from './options.ts'

/** A sync that failed: always status 400, and a body that is only a message. */
export class BridgeSyncError extends Error {
  /** HTTP status, whatever the bridge answered. */
  readonly status = 400
  /** The whole body of the answer. */
  readonly body: { readonly message: string }

  /**
   * @param message - The reason, or the bridge's own message.
   * @param cause - What led to it, for the log.
   */
  constructor(message: string, cause: unknown) {
    super(message, { cause })
    this.name = 'BridgeSyncError'
    this.body = Object.freeze({ message })
  }
}

/** What is told of a URL that is refused before a connection is made. */
const reasons: Readonly<Partial<Record<FailureCode, (refusal: Refusal) => string>>> = {
  INVALID_URL: () => 'invalid URL format',
  UNSUPPORTED_SCHEME: () => 'scheme not allowed (only http and https permitted)',
  CREDENTIALS_IN_URL: () => 'embedded credentials not allowed',
  BLOCKED_HOSTNAME: () => 'host not allowed',
  PRIVATE_IP: ({ address }) => `private or reserved IP address not allowed (${address ?? 'unknown'})`,
}

/**
 * Checks a URL and discovers the bridge behind it, so that it can be stored.
 *
 * @param options - What the client is set up with; `bridgeUrl` is the URL to check.
 * @param signal - Ends the sync; it then rejects with the signal's reason.
 * @throws BridgeSyncError - The URL is refused, or the call failed.
 * @source Specification, "Sync errors".
 */
export async function syncBridge(options: ResolvedOptions, signal: AbortSignal | undefined): Promise<DiscoverReply> {
  const refusal = await preCheck(options)
  signal?.throwIfAborted()
  const reason = refusal && reasons[refusal.refused]?.(refusal)
  if (reason !== undefined) throw new BridgeSyncError(`bridgeUrl: ${reason}`, refusal)
  try {
    return await callBridge({ action: 'discover', query: {} }, options, signal)
  } catch (error) {
    if (error instanceof BridgeClientError) throw new BridgeSyncError(error.message, error)
    throw error
  }
}

/** A look-up that fails here is left to the call, which reports it as every call does. */
async function preCheck({
  bridgeUrl,
  policy,
  lookup,
  startTimer,
  timeoutMs,
}: ResolvedOptions): Promise<Refusal | undefined> {
  const admitted = policy.checkUrl(bridgeUrl)
  if ('refused' in admitted) return admitted
  const controller = new AbortController()
  const stopTimer = startTimer(timeoutMs, () => controller.abort(deadline))
  try {
    const { signal } = controller
    const target = await resolveTarget(admitted, { policy, lookup, found: new Set(), signal })
    return isFault(target) || !('refused' in target) ? undefined : target
  } finally {
    stopTimer()
  }
}
