import { type BridgeClient, createBridgeClient, type Lookup } from '@trestle/bridge-client'

/** What is known of a bridge before it is called. */
export interface BridgeAccess {
  readonly url: string
  /** The secret key; a bridge that verifies nothing needs none. */
  readonly key: string | undefined
  /** Ranges of addresses that are open beside those of the loopback. @default none */
  readonly allow?: readonly string[]
  /** Milliseconds of one attempt. @default 5000 */
  readonly timeoutMs?: number
  /** The environment's name; only `Development` skips certificate checks. @default 'Development' */
  readonly environmentName?: string
  /** The clock. @default Date.now */
  readonly nowMs?: () => number
  /** Finds the addresses of a name. @default the resolver of the system */
  readonly lookup?: Lookup
}

const loopbackRanges: readonly string[] = Object.freeze(['127.0.0.0/8', '::1/128'])

/**
 * Returns the ranges of addresses that a command opens: the loopback, those it was given, and those of the environment.
 *
 * @param env - The environment. @default that of the process
 */
export function openRanges(
  given: readonly string[] = [],
  env: Readonly<Record<string, string | undefined>> = process.env,
): readonly string[] {
  const named = (env['SERVICE_SAFE_OUTBOUND_ALLOW'] ?? '').split(/[\s,]+/).filter((range) => range !== '')
  return [...loopbackRanges, ...given, ...named]
}

/** Signs calls of bridges that verify nothing. */
const noKey = 'no-key-was-given'

/**
 * Creates a client of a bridge for a command: loopback addresses are open, failed attempts are not logged, and a second
 * attempt follows at once.
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
