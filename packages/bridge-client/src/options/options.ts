import type { Lookup } from '../dns/lookup.ts'
import type { ConnectionPool } from '../transport/connection-pool.ts'
import type { Connect } from '../transport/first-connection.ts'

/** Receives failed attempts, with cause, resolved address and fix. */
export interface BridgeLogger {
  /**
   * Logs details and a constant message, in pino's argument order. They never contain the secret, the signature or the
   * body; text from a bridge is bounded and has no control characters. Errors it throws are ignored.
   */
  warn(details: object, message: string): void
}

/** A TCP address and port. */
export interface Endpoint {
  /** An IP address in its canonical form. */
  readonly address: string
  readonly port: number
}

/** The options of a client for the bridge of one environment. */
export interface BridgeClientOptions {
  /** The environment's secret key, which signs calls. */
  readonly secretKey: string
  /** The environment's bridge URL; absent or empty if none is saved. */
  readonly bridgeUrl?: string | null | undefined
  /** The environment's name. Only `Development` (in any case) skips certificate checks. */
  readonly environmentName: string
  /**
   * Address ranges to allow although the policy blocks them, for example `10.0.0.0/8`.
   * @default the variable SERVICE_SAFE_OUTBOUND_ALLOW, separated by commas or white space
   */
  readonly allow?: readonly string[] | undefined
  /**
   * Returns whether an endpoint is blocked, regardless of `allow` and `policy`, such as the service's own listeners.
   * Called with each address before connecting; IPv4-mapped addresses are passed as IPv4.
   * @default none is blocked
   */
  readonly isClosed?: ((endpoint: Endpoint) => boolean) | undefined
  /** `off` skips the outbound policy's checks of names and addresses. @default 'on' */
  readonly policy?: 'on' | 'off' | undefined
  /** Hosts of development tunnels, including their subdomains. @default [] */
  readonly tunnelHosts?: readonly string[] | undefined
  /**
   * The only header that carries the signature.
   * @default the variable SERVICE_BRIDGE_SIGNATURE_HEADER, else `service-signature` and, until version 1.0, `novu-signature`
   */
  readonly signatureHeader?: string | undefined
  /** The timeout of one attempt including redirects, in milliseconds. @default 5000 */
  readonly timeoutMs?: number | undefined
  /** The maximum size of a response, in bytes. @default 10485760 */
  readonly maxAnswerBytes?: number | undefined
  /** Trusted certificate authorities (PEM), instead of the runtime's own. */
  readonly ca?: string | readonly string[] | undefined
  /** Receives failed attempts. @default console */
  readonly logger?: BridgeLogger | undefined
  /** Finds the addresses of a name. @default `createLookup()` */
  readonly lookup?: Lookup | undefined
  /** Keeps connections open between requests; see `createConnectionPool()`. @default a connection per request */
  readonly connections?: ConnectionPool | undefined
  /** Starts TCP connections. @default node:net */
  readonly connect?: Connect | undefined
  /** The clock, milliseconds since 1970. @default Date.now */
  readonly nowMs?: (() => number) | undefined
  /** Waits between attempts; rejects when the signal aborts. @default a timer */
  readonly sleep?: ((ms: number, signal: AbortSignal | undefined) => Promise<void>) | undefined
  /** Calls back once after a time, and returns a function that cancels the callback. @default a timer */
  readonly startTimer?: ((ms: number, onTimeout: () => void) => () => void) | undefined
}
