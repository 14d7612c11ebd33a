import { type BridgeClient, createBridgeClient, type Lookup } from '@trestle/bridge-client'

/** The address of a bridge, and options to call it. */
export interface BridgeAccess {
  readonly url: string
  /** The secret key; not needed if the bridge does not verify signatures. */
  readonly key: string | undefined
  /** Allowed address ranges in addition to loopback. @default none */
  readonly allow?: readonly string[]
  /** The time limit of one attempt, in milliseconds. @default 5000 */
  readonly timeoutMs?: number
  /** The environment's name; only `Development` skips certificate checks. @default 'Development' */
  readonly environmentName?: string
  /** The clock. @default Date.now */
  readonly nowMs?: () => number
  /** Finds the addresses of a name. @default the system's resolver */
  readonly lookup?: Lookup
}

const loopbackRanges: readonly string[] = Object.freeze(['127.0.0.0/8', '::1/128'])

/**
 * Returns the address ranges that a command allows: loopback, the given ones, and those from the environment.
 *
 * @param env - The environment. @default that of the process
 */
export function openRanges(
  ranges: readonly string[] = [],
  env: Readonly<Record<string, string | undefined>> = process.env,
): readonly string[] {
  const named = (env['SERVICE_SAFE_OUTBOUND_ALLOW'] ?? '').split(/[\s,]+/).filter((range) => range !== '')
  return [...loopbackRanges, ...ranges, ...named]
}

/** Signs calls to bridges that do not verify signatures. */
const noKey = 'no-key-was-given'

/**
 * Creates a bridge client for a command: loopback addresses are allowed, failed attempts are not logged, and a failed
 * attempt is retried immediately.
 */
export function createClient(access: BridgeAccess): BridgeClient {
  const { url, key, allow, timeoutMs = 5000, environmentName = 'Development', ...rest } = access
  return createBridgeClient({
    secretKey: key || noKey,
    bridgeUrl: url,
    environmentName,
    allow: openRanges(allow),
    timeoutMs,
    logger: { warn: () => undefined },
    sleep: () => Promise.resolve(),
    ...rest,
  })
}
