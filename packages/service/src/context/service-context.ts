import type { Logger } from 'pino'
import type { BridgePort } from '../bridge/bridge-call.ts'
import type { BridgeSettings } from '../bridge/bridge-port.ts'
import type { BridgeTarget } from '../bridge/bridge-target.ts'
import type { SyncFeed } from '../bridge/sync-feed.ts'
import type { Clock } from '../clock/clock.ts'
import type { Settings } from '../config/settings.ts'
import type { Engine } from '../engine/engine.ts'
import type { Vault } from '../secrets/vault.ts'
import type { EnvironmentRow } from '../store/schema/account.ts'
import type { Store } from '../store/store.ts'

/** What every operation works with. */
export interface ServiceContext {
  /** The database. */
  readonly store: Store
  /** The time. */
  readonly clock: Clock
  /** Encrypts what is kept at rest. */
  readonly vault: Vault
  /** Runs workflows. */
  readonly engine: Engine
  /** The way to bridges, for previews. */
  readonly bridge: BridgePort
  /** How bridges are called, for syncs and checks. */
  readonly bridgeSettings: BridgeSettings
  /** Tells of syncs that found something new. */
  readonly syncFeed: SyncFeed
  /** Returns what it takes to call the bridge of an environment. */
  readonly loadTarget: (environmentId: string) => Promise<BridgeTarget>
  /** The options the service was started with. */
  readonly settings: Settings
  /** Identifies the organization, of which there is one. */
  readonly organizationId: string
  /** Where logs go. */
  readonly logger: Logger
}

/** What one call of an operation works with. */
export interface CallContext extends ServiceContext {
  /** The environment of the key the call came with. */
  readonly environment: EnvironmentRow
  /** Identifies the call in logs. */
  readonly requestId: string
  /** Aborts when the caller is gone. */
  readonly signal: AbortSignal
}
