import type { ApiKeyRow, EnvironmentRow, SettingRow } from './account.ts'
import type {
  AgentRow,
  ConversationDeliveryRow,
  ConversationMessageRow,
  ConversationQuestionRow,
  ConversationReplyRow,
  ConversationRow,
  PlatformEventRow,
} from './agent.ts'
import type {
  ChannelConnectionRow,
  ChannelEndpointRow,
  ContextRow,
  IntegrationRow,
  LayoutRow,
  TranslationRow,
  VariableRow,
} from './delivery.ts'
import type { DomainRouteRow, DomainRow, InboundMailRow } from './domain.ts'
import type { InboxChangeRow, InboxPositionRow } from './inbox.ts'
import type { FeedRow, MessageRow, OutboxRow } from './message.ts'
import type { JobRow, RunRow, TriggerRow } from './run.ts'
import type { PreferenceRow, SubscriberRow, TopicRow, TopicSubscriptionRow } from './subscriber.ts'
import type { BridgeCallRow, DigestRow, ExecutionDetailRow, ThrottleRow } from './trace.ts'
import type { IdempotencyRow, ProcessRow, QueueItemRow, RateBucketRow } from './traffic.ts'
import type {
  StepControlRow,
  TenantRow,
  WorkflowGroupRow,
  WorkflowOverrideRow,
  WorkflowRow,
  WorkflowWarningRow,
} from './workflow.ts'

/** Every table by name. */
export interface Tables {
  /** Values the service keeps about itself. */
  settings: SettingRow
  /** Environments. */
  environments: EnvironmentRow
  /** Their secret keys. */
  apiKeys: ApiKeyRow
  /** Recipients. */
  subscribers: SubscriberRow
  /** The choices of recipients. */
  preferences: PreferenceRow
  /** Groups of recipients. */
  topics: TopicRow
  /** Who is in which topic. */
  topicSubscriptions: TopicSubscriptionRow
  /** Workflows. */
  workflows: WorkflowRow
  /** Control values of their steps. */
  stepControls: StepControlRow
  /** Warnings of workflows. */
  workflowWarnings: WorkflowWarningRow
  /** Groups of workflows. */
  workflowGroups: WorkflowGroupRow
  /** Tenants. */
  tenants: TenantRow
  /** How workflows differ by tenant. */
  workflowOverrides: WorkflowOverrideRow
  /** Accepted triggers. */
  triggers: TriggerRow
  /** Runs. */
  runs: RunRow
  /** Steps of runs. */
  jobs: JobRow
  /** The history of runs. */
  executionDetails: ExecutionDetailRow
  /** Calls of bridges. */
  bridgeCalls: BridgeCallRow
  /** Open digests, and when the last event of those came that are over. */
  digests: DigestRow
  /** Throttle windows. */
  throttles: ThrottleRow
  /** Messages. */
  messages: MessageRow
  /** Messages that no integration delivers. */
  outbox: OutboxRow
  /** Positions of the last changes in inboxes. */
  inboxPositions: InboxPositionRow
  /** Changes in inboxes. */
  inboxChanges: InboxChangeRow
  /** Feeds of in-app messages. */
  feeds: FeedRow
  /** Delivery providers. */
  integrations: IntegrationRow
  /** Wrappers of mails. */
  layouts: LayoutRow
  /** Translated texts. */
  translations: TranslationRow
  /** Environment variables. */
  variableValues: VariableRow
  /** Contexts of runs. */
  contexts: ContextRow
  /** Connections to channels. */
  channelConnections: ChannelConnectionRow
  /** Where subscribers are reached. */
  channelEndpoints: ChannelEndpointRow
  /** Agents. */
  agents: AgentRow
  /** Conversations with agents. */
  conversations: ConversationRow
  /** Their messages. */
  conversationMessages: ConversationMessageRow
  /** What agents asked in them. */
  conversationQuestions: ConversationQuestionRow
  /** What leaves the service for bridges and platforms. */
  conversationDeliveries: ConversationDeliveryRow
  /** Replies of agents that were taken. */
  conversationReplies: ConversationReplyRow
  /** Events of platforms that were taken. */
  platformEvents: PlatformEventRow
  /** Domains whose mail is received. */
  domains: DomainRow
  /** Where their mail goes. */
  domainRoutes: DomainRouteRow
  /** Mail that was received for them. */
  inboundMails: InboundMailRow
  /** Idempotency keys. */
  idempotency: IdempotencyRow
  /** Rate-limit buckets. */
  rateBuckets: RateBucketRow
  /** Work that waits for a process, or is done by one. */
  queueItems: QueueItemRow
  /** Service processes. */
  processes: ProcessRow
}
