import type { BridgePort } from '../../bridge/bridge-call.ts'
import type { BridgeTarget } from '../../bridge/bridge-target.ts'
import type { Clock } from '../../clock/clock.ts'
import type { Queue } from '../../queue/queue.ts'
import type { Store } from '../../store/store.ts'
import type { ChannelPort } from './channel-port.ts'
import type { EventPort } from './event-port.ts'

/** Receives problems of the engine. */
export interface EngineLogger {
  /** Logs a problem that someone should check. */
  warn(details: object, message: string): void
  /** Logs a failure of the service. */
  error(details: object, message: string): void
}

/** Dependencies of the engine. */
export interface EnginePorts {
  readonly store: Store
  /** The work queue. */
  readonly queue: Pick<Queue, 'add'>
  readonly clock: Clock
  /** Calls bridges. */
  readonly bridge: BridgePort
  /** Stores and sends messages. */
  readonly channels: ChannelPort
  /** Records events for webhooks. */
  readonly events: EventPort
  /**
   * Returns the bridge target of an environment.
   *
   * @param environmentId - Row id of the environment.
   */
  readonly loadTarget: (environmentId: string) => Promise<BridgeTarget>
  readonly logger: EngineLogger
}
