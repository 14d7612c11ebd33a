import type { Outbound, RecordLookup } from '@trestle/bridge-client'
import type { Logger } from 'pino'
import type { BridgePort } from '../bridge/bridge-call.ts'
import type { BridgeSettings } from '../bridge/bridge-port.ts'
import type { BridgeTarget } from '../bridge/bridge-target.ts'
import type { SyncFeed } from '../bridge/sync-feed.ts'
import type { Clock } from '../clock/clock.ts'
import type { Settings } from '../config/settings.ts'
import type { ConversationFeed } from '../conversations/base/conversation-feed.ts'
import type { ConversationPorts } from '../conversations/base/conversation-ports.ts'
import type { Engine } from '../engine/engine.ts'
import type { InboxFeed } from '../inbox/inbox-feed.ts'
import type { OpenStreams } from '../inbox/open-streams.ts'
import type { SubscriberSession } from '../inbox/subscriber-session.ts'
import type { Revocations } from '../keys/revocations.ts'
import type { Vault } from '../secrets/vault.ts'
import type { EnvironmentRow } from '../store/schema/account.ts'
import type { Store } from '../store/store.ts'
import type { ServiceAddress } from './service-address.ts'

/** The context of every operation. */
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
  /** Sends requests to addresses that somebody configured. */
  readonly outbound: Outbound
  /** Finds DNS records of domains. */
  readonly findRecords: RecordLookup
  /** Tells when secret keys end. */
  readonly revocations: Revocations
  /** Tells of syncs that found something new. */
  readonly syncFeed: SyncFeed
  /** What conversations with agents are kept and carried on with. */
  readonly conversations: ConversationPorts
  /** Tells of conversations that change. */
  readonly conversationFeed: ConversationFeed
  /** Tells of changes in inboxes. */
  readonly inboxFeed: InboxFeed
  /** The streams of inboxes that are open. */
  readonly inboxStreams: OpenStreams
  /** Where bridges reach this API. */
  readonly address: ServiceAddress
  /** Returns what it takes to call the bridge of an environment. */
  readonly loadTarget: (environmentId: string) => Promise<BridgeTarget>
  /** The options the service was started with. */
  readonly settings: Settings
  /** Identifies the organization, of which there is one. */
  readonly organizationId: string
  /** Row ids of the environments that were not made by a key; these are never deleted and have their own limits. */
  readonly ownEnvironmentIds: ReadonlySet<string>
  /** Where logs go. */
  readonly logger: Logger
}

/** The context of one call of an operation. */
export interface CallContext extends ServiceContext {
  /** The environment of the key the call came with. */
  readonly environment: EnvironmentRow
  /** The session of the subscriber who calls; undefined for all other callers. */
  readonly session: SubscriberSession | undefined
  /** Identifies the call in logs. */
  readonly requestId: string
  /** Returns a header of the call. */
  readonly header: (name: string) => string | undefined
  /** Aborts when the caller is gone. */
  readonly signal: AbortSignal
}
