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
  /** The service's own values. */
  settings: SettingRow
  environments: EnvironmentRow
  /** Secret keys of environments. */
  apiKeys: ApiKeyRow
  subscribers: SubscriberRow
  /** Subscriber preferences. */
  preferences: PreferenceRow
  topics: TopicRow
  topicSubscriptions: TopicSubscriptionRow
  workflows: WorkflowRow
  /** Stored control values of steps. */
  stepControls: StepControlRow
  /** The history of saved control values. */
  stepControlVersions: StepControlVersionRow
  workflowWarnings: WorkflowWarningRow
  workflowGroups: WorkflowGroupRow
  tenants: TenantRow
  /** Workflow settings per tenant. */
  workflowOverrides: WorkflowOverrideRow
  /** Accepted triggers. */
  triggers: TriggerRow
  runs: RunRow
  /** Steps of runs. */
  jobs: JobRow
  /** The history of runs. */
  executionDetails: ExecutionDetailRow
  bridgeCalls: BridgeCallRow
  /** Open digests, and the time of the last event of past digests. */
  digests: DigestRow
  /** Throttle windows. */
  throttles: ThrottleRow
  /** Recently emitted events. */
  emittedEvents: EmittedEventRow
  /** The events that cancel runs. */
  cancelWatches: CancelWatchRow
  messages: MessageRow
  /** The outbox: messages that no integration delivers. */
  outbox: OutboxRow
  /** What providers have reported about messages. */
  deliveryReports: DeliveryReportRow
  /** The positions of the last inbox changes. */
  inboxPositions: InboxPositionRow
  inboxChanges: InboxChangeRow
  /** Feeds of in-app messages. */
  feeds: FeedRow
  /** Delivery providers. */
  integrations: IntegrationRow
  /** Email layouts. */
  layouts: LayoutRow
  translations: TranslationRow
  /** Environment variables. */
  variableValues: VariableRow
  /** Contexts of runs. */
  contexts: ContextRow
  channelConnections: ChannelConnectionRow
  /** Subscriber addresses on channels. */
  channelEndpoints: ChannelEndpointRow
  agents: AgentRow
  /** Conversations with agents. */
  conversations: ConversationRow
  conversationMessages: ConversationMessageRow
  /** Questions from agents. */
  conversationQuestions: ConversationQuestionRow
  /** Requests to bridges and platforms. */
  conversationDeliveries: ConversationDeliveryRow
  /** Accepted agent replies. */
  conversationReplies: ConversationReplyRow
  /** Accepted platform events. */
  platformEvents: PlatformEventRow
  /** Domains for inbound email. */
  domains: DomainRow
  /** Routes for inbound email. */
  domainRoutes: DomainRouteRow
  /** Received email. */
  inboundMails: InboundMailRow
  /** URLs that receive events. */
  webhookEndpoints: WebhookEndpointRow
  webhookDeliveries: WebhookDeliveryRow
  /** Idempotency keys. */
  idempotency: IdempotencyRow
  /** Rate-limit buckets. */
  rateBuckets: RateBucketRow
  /** Queued work and work in progress. */
  queueItems: QueueItemRow
  /** Service processes. */
  processes: ProcessRow
  /** People who use the studio. */
  accounts: AccountRow
  /** Account roles by environment. */
  accountRoles: AccountRoleRow
  accountSessions: AccountSessionRow
  /** One-time links for accounts. */
  accountLinks: AccountLinkRow
  /** Sign-in attempts. */
  attempts: AttemptRow
  /** The audit log. */
  auditEntries: AuditRow
}
