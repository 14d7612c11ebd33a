import type { BridgePort } from '../../bridge/bridge-call.ts'
import type { BridgeTarget } from '../../bridge/bridge-target.ts'
import type { Clock } from '../../clock/clock.ts'
import type { Queue } from '../../queue/queue.ts'
import type { Store } from '../../store/store.ts'
import type { ChannelPort } from './channel-port.ts'

/** Where the engine tells what went wrong. */
export interface EngineLogger {
  /** Takes what should be looked at. */
  warn(details: object, message: string): void
  /** Takes a fault of the service. */
  error(details: object, message: string): void
}

/** Everything the engine acts through. */
export interface EnginePorts {
  /** The database. */
  readonly store: Store
  /** Where work waits for its turn. */
  readonly queue: Pick<Queue, 'add'>
  /** The time. */
  readonly clock: Clock
  /** The way to bridges. */
  readonly bridge: BridgePort
  /** The way to messages. */
  readonly channels: ChannelPort
  /**
   * Returns what it takes to call the bridge of an environment.
   *
   * @param environmentId - Row id of the environment.
   */
  readonly loadTarget: (environmentId: string) => Promise<BridgeTarget>
  /** Where faults are told. */
  readonly logger: EngineLogger
}
