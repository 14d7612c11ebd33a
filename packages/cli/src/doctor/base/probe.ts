import type { BridgeClient, Outbound } from '@trestle/bridge-client'
import type { DiscoverReply } from '@trestle/protocol'
import type { Finding } from './finding.ts'

/** The facts about a bridge during a diagnosis. A probe may add facts for later probes. */
export interface ProbeContext {
  readonly url: string
  /** The secret key; undefined if none was provided. */
  readonly key: string | undefined
  /** Calls the bridge as the service does. */
  readonly client: BridgeClient
  /** Sends other requests to the bridge. */
  readonly outbound: Outbound
  /** Whether the bridge must reject unsigned calls. */
  readonly isProduction: boolean
  /** Whether the bridge is on this machine. */
  readonly isLoopback: boolean
  readonly signal: AbortSignal
  /** The clock, milliseconds since 1970. */
  readonly nowMs: () => number
  /** Whether the bridge accepts unsigned calls; undefined until this is checked. */
  isOpen?: boolean
  /** The bridge's workflows and agents, after discovery. */
  reply?: DiscoverReply
}

/** One check of a bridge. */
export interface Probe {
  readonly name: string
  /** What it checks, for display. */
  readonly title: string
  /** Returns why it cannot run; undefined if it can. */
  readonly skip?: (context: ProbeContext) => string | undefined
  run(context: ProbeContext): Promise<readonly Finding[]>
  /** Whether an error from this probe makes all later probes useless. */
  readonly stopsOnError?: boolean
}
