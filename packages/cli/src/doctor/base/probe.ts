import type { BridgeClient, Outbound } from '@trestle/bridge-client'
import type { DiscoverReply } from '@trestle/protocol'
import type { Finding } from './finding.ts'

/** What is known of a bridge while it is examined. A probe may add to it for those behind it. */
export interface Patient {
  readonly url: string
  /** The secret key; undefined where none was given. */
  readonly key: string | undefined
  /** Calls it as the service does. */
  readonly client: BridgeClient
  /** Sends any other request to it. */
  readonly outbound: Outbound
  /** Whether it must refuse unsigned calls. */
  readonly isProduction: boolean
  /** Whether it lies on this machine. */
  readonly isLoopback: boolean
  readonly signal: AbortSignal
  /** The clock, milliseconds since 1970. */
  readonly nowMs: () => number
  /** Whether it takes unsigned calls; undefined until that is known. */
  isOpen?: boolean
  /** What it serves, once it has been discovered. */
  reply?: DiscoverReply
}

/** One thing that is tried with a bridge. */
export interface Probe {
  readonly name: string
  /** What it tries, for people. */
  readonly title: string
  /** Returns why it cannot be tried; undefined where it can. */
  readonly skip?: (patient: Patient) => string | undefined
  run(patient: Patient): Promise<readonly Finding[]>
  /** Whether nothing behind it can be tried once it has found an error. */
  readonly isGate?: boolean
}
