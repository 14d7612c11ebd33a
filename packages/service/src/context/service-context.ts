import type { Outbound, RecordLookup } from '@trestle/bridge-client'
import type { Logger } from 'pino'
import type { Accounts } from '../accounts/accounts.ts'
import type { Person } from '../accounts/base/access.ts'
import type { BridgePort } from '../bridge/bridge-call.ts'
import type { BridgeSettings } from '../bridge/bridge-port.ts'
import type { BridgeTarget } from '../bridge/bridge-target.ts'
import type { SyncFeed } from '../bridge/sync-feed.ts'
import type { Clock } from '../clock/clock.ts'
import type { Settings } from '../config/settings.ts'
import type { ConversationFeed } from '../conversations/base/conversation-feed.ts'
import type { ConversationPorts } from '../conversations/base/conversation-ports.ts'
import type { Engine } from '../engine/engine.ts'
import type { SentMessage } from '../engine/port/channel-port.ts'
import type { InboxFeed } from '../inbox/inbox-feed.ts'
import type { OpenStreams } from '../inbox/open-streams.ts'
import type { SubscriberSession } from '../inbox/subscriber-session.ts'
import type { Revocations } from '../keys/revocations.ts'
import type { Queue } from '../queue/queue.ts'
import type { ReportIntake } from '../reports/report-intake.ts'
import type { Vault } from '../secrets/vault.ts'
import type { EnvironmentRow } from '../store/schema/account.ts'
import type { MessageRow } from '../store/schema/message.ts'
import type { Store } from '../store/store.ts'
import type { EventRecorder } from '../webhooks/event-recorder.ts'
import type { ServiceAddress } from './service-address.ts'

/** The context of every operation. */
export interface ServiceContext {
  readonly store: Store
  readonly clock: Clock
  /** Encrypts data at rest. */
  readonly vault: Vault
  readonly engine: Engine
  /** Sends a test message, which is not stored. */
  readonly sendMessage: (message: MessageRow) => Promise<SentMessage>
  /** Calls bridges for previews. */
  readonly bridge: BridgePort
  /** Settings of the bridge client, for syncs and checks. */
  readonly bridgeSettings: BridgeSettings
  /** Sends requests to configured URLs. */
  readonly outbound: Outbound
  /** Looks up DNS records of domains. */
  readonly findRecords: RecordLookup
  /** Reports revoked secret keys. */
  readonly revocations: Revocations
  /** Reports syncs with a new result. */
  readonly syncFeed: SyncFeed
  /** Stores and delivers conversations with agents. */
  readonly conversations: ConversationPorts
  /** Records events for webhooks. */
  readonly events: EventRecorder
  /** Receives delivery reports from providers. */
  readonly reports: ReportIntake
  /** The work queue. */
  readonly queue: Pick<Queue, 'add'>
  /** Reports changed conversations. */
  readonly conversationFeed: ConversationFeed
  /** Reports changes in inboxes. */
  readonly inboxFeed: InboxFeed
  readonly inboxStreams: OpenStreams
  /** The URL of this API for bridges. */
  readonly address: ServiceAddress
  /** Returns everything needed to call the bridge of an environment. */
  readonly loadTarget: (environmentId: string) => Promise<BridgeTarget>
  /** The options of the service. */
  readonly settings: Settings
  /** Row id of the only organization. */
  readonly organizationId: string
  /** Row ids of the environments that were not created by a key. They are never deleted and have their own limits. */
  readonly ownEnvironmentIds: ReadonlySet<string>
  /** The people who use the studio; undefined if accounts are off. */
  readonly accounts: Accounts | undefined
  readonly logger: Logger
}

/** The context of one call of an operation. */
export interface CallContext extends ServiceContext {
  /** The environment of the call's key. */
  readonly environment: EnvironmentRow
  /** The session of the calling subscriber; undefined for all other callers. */
  readonly session: SubscriberSession | undefined
  /** The calling person; undefined for all other callers. */
  readonly person: Person | undefined
  /** The caller, as recorded in histories. */
  readonly by: string
  /** Identifies the call in logs. */
  readonly requestId: string
  /** Returns a request header. */
  readonly header: (name: string) => string | undefined
  /** Aborts when the caller disconnects. */
  readonly signal: AbortSignal
}
