import type {
  AccountLinkRow,
  AccountRoleRow,
  AccountRow,
  AccountSessionRow,
  ApiKeyRow,
  AttemptRow,
  AuditRow,
  EnvironmentRow,
  SettingRow,
} from './account.ts'
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
  WebhookDeliveryRow,
  WebhookEndpointRow,
} from './delivery.ts'
import type { DomainRouteRow, DomainRow, InboundMailRow } from './domain.ts'
import type { InboxChangeRow, InboxPositionRow } from './inbox.ts'
import type { DeliveryReportRow, FeedRow, MessageRow, OutboxRow } from './message.ts'
import type { CancelWatchRow, EmittedEventRow, JobRow, RunRow, TriggerRow } from './run.ts'
import type { PreferenceRow, SubscriberRow, TopicRow, TopicSubscriptionRow } from './subscriber.ts'
import type { BridgeCallRow, DigestRow, ExecutionDetailRow, ThrottleRow } from './trace.ts'
import type { IdempotencyRow, ProcessRow, QueueItemRow, RateBucketRow } from './traffic.ts'

import type {
  StepControlRow,
  StepControlVersionRow,
  TenantRow,
  WorkflowGroupRow,
  WorkflowOverrideRow,
  WorkflowRow,
  WorkflowWarningRow,
} from './workflow.ts'

/** Every table by name. */
export interface Tables {
  /** Values of the service itself. */
  settings: SettingRow
  /** Environments. */
  environments: EnvironmentRow
  /** Secret keys of environments. */
  apiKeys: ApiKeyRow
  /** Subscribers. */
  subscribers: SubscriberRow
  /** Preferences of subscribers. */
  preferences: PreferenceRow
  /** Topics. */
  topics: TopicRow
  /** Subscriptions to topics. */
  topicSubscriptions: TopicSubscriptionRow
  /** Workflows. */
  workflows: WorkflowRow
  /** Stored control values of steps. */
  stepControls: StepControlRow
  /** Control values that were saved for steps. */
  stepControlVersions: StepControlVersionRow
  /** Warnings of workflows. */
  workflowWarnings: WorkflowWarningRow
  /** Groups of workflows. */
  workflowGroups: WorkflowGroupRow
  /** Tenants. */
  tenants: TenantRow
  /** Settings of workflows per tenant. */
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
  /** Open digests, and the time of the last event of past ones. */
  digests: DigestRow
  /** Throttle windows. */
  throttles: ThrottleRow
  /** Events that were emitted a short while ago. */
  emittedEvents: EmittedEventRow
  /** The events that cancel runs. */
  cancelWatches: CancelWatchRow
  /** Messages. */
  messages: MessageRow
  /** The outbox: messages that no integration delivers. */
  outbox: OutboxRow
  /** What providers have reported about messages. */
  deliveryReports: DeliveryReportRow
  /** Positions of the last inbox changes. */
  inboxPositions: InboxPositionRow
  /** Changes in inboxes. */
  inboxChanges: InboxChangeRow
  /** Feeds of in-app messages. */
  feeds: FeedRow
  /** Delivery providers. */
  integrations: IntegrationRow
  /** Layouts for emails. */
  layouts: LayoutRow
  /** Translations. */
  translations: TranslationRow
  /** Environment variables. */
  variableValues: VariableRow
  /** Contexts of runs. */
  contexts: ContextRow
  /** Connections to channels. */
  channelConnections: ChannelConnectionRow
  /** Addresses of subscribers on channels. */
  channelEndpoints: ChannelEndpointRow
  /** Agents. */
  agents: AgentRow
  /** Conversations with agents. */
  conversations: ConversationRow
  /** Messages of conversations. */
  conversationMessages: ConversationMessageRow
  /** Questions of agents. */
  conversationQuestions: ConversationQuestionRow
  /** Requests to bridges and platforms. */
  conversationDeliveries: ConversationDeliveryRow
  /** Accepted replies of agents. */
  conversationReplies: ConversationReplyRow
  /** Accepted events of platforms. */
  platformEvents: PlatformEventRow
  /** Domains for inbound email. */
  domains: DomainRow
  /** Routes of inbound email. */
  domainRoutes: DomainRouteRow
  /** Received email. */
  inboundMails: InboundMailRow
  /** URLs that receive events. */
  webhookEndpoints: WebhookEndpointRow
  /** Events on their way to them. */
  webhookDeliveries: WebhookDeliveryRow
  /** Idempotency keys. */
  idempotency: IdempotencyRow
  /** Rate-limit buckets. */
  rateBuckets: RateBucketRow
  /** Work that waits or is in progress. */
  queueItems: QueueItemRow
  /** Service processes. */
  processes: ProcessRow
  /** People who use the studio. */
  accounts: AccountRow
  /** Their roles by environment. */
  accountRoles: AccountRoleRow
  /** Their sessions. */
  accountSessions: AccountSessionRow
  /** One-time links for them. */
  accountLinks: AccountLinkRow
  /** Attempts to sign in. */
  attempts: AttemptRow
  /** The audit log. */
  auditEntries: AuditRow
}
