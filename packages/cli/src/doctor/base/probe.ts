import type { BridgeClient, Outbound } from '@trestle/bridge-client'
import type { DiscoverReply } from '@trestle/protocol'
import type { Finding } from './finding.ts'

/** The facts about a bridge during a diagnosis. A probe may add facts for later probes. */
export interface ProbeContext {
  readonly url: string
  /** The secret key; undefined if none was given. */
  readonly key: string | undefined
  /** Calls it as the service does. */
  readonly client: BridgeClient
  /** Sends any other request to it. */
  readonly outbound: Outbound
  /** Whether it must reject unsigned calls. */
  readonly isProduction: boolean
  /** Whether it is on this machine. */
  readonly isLoopback: boolean
  readonly signal: AbortSignal
  /** The clock, milliseconds since 1970. */
  readonly nowMs: () => number
  /** Whether it accepts unsigned calls; undefined until known. */
  isOpen?: boolean
  /** Its workflows and agents, after discovery. */
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
  /** Whether an error of this probe makes all later probes useless. */
  readonly stopsOnError?: boolean
}
