import type { AnyOperation } from '../context/operation.ts'
import { executionDetailOperations } from './activity/execution-details.ts'
import { messageOperations } from './activity/messages.ts'
import { notificationOperations } from './activity/notifications.ts'
import { bridgeOperations } from './bridge/bridge.ts'
import { inboxEventOperations } from './browser-inbox/inbox-events.ts'
import { ownMessageOperations } from './browser-inbox/own-messages.ts'
import { ownPreferenceOperations } from './browser-inbox/own-preferences.ts'
import { ownSubscriptionOperations } from './browser-inbox/own-subscriptions.ts'
import { sessionOperations } from './browser-inbox/session.ts'
import { blueprintOperations } from './configuration/blueprints.ts'
import { contextOperations } from './configuration/contexts.ts'
import { environmentVariableOperations } from './configuration/environment-variables.ts'
import { channelConnectionOperations } from './connections/channel-connections.ts'
import { channelEndpointOperations } from './connections/channel-endpoints.ts'
import { oauthOperations } from './connections/oauth.ts'
import { agentBridgeOperations } from './conversations/agent-bridges.ts'
import { agentReplyOperations } from './conversations/agent-replies.ts'
import { conversationActOperations } from './conversations/conversation-acts.ts'
import { conversationOperations } from './conversations/conversations.ts'
import { slackCallOperations } from './conversations/slack-calls.ts'
import { domainRouteOperations } from './domains/domain-routes.ts'
import { domainOperations } from './domains/domains.ts'
import { routeTestOperations } from './domains/route-test.ts'
import { accountOperations } from './environments/account.ts'
import { environmentOperations } from './environments/environments.ts'
import { emitOperations } from './events/emit.ts'
import { eventOperations } from './events/events.ts'
import { feedOperations } from './feeds/feeds.ts'
import { inboxOperations } from './inbox/inbox.ts'
import { inboxChangeOperations } from './inbox/inbox-changes.ts'
import { inboxMassOperations } from './inbox/inbox-mass-changes.ts'
import { subscriberFeedOperations } from './inbox/subscriber-feed.ts'
import { deliveryReportOperations } from './integrations/delivery-reports.ts'
import { integrationTestOperations } from './integrations/integration-tests.ts'
import { integrationOperations } from './integrations/integrations.ts'
import { layoutOperations } from './layouts/layouts.ts'
import { layoutV2Operations } from './layouts/layouts-v2.ts'
import { translationListOperations } from './layouts/list-translations.ts'
import { translationUploadOperations } from './layouts/translation-uploads.ts'
import { translationOperations } from './layouts/translations.ts'
import { workflowOverrideOperations } from './overrides/workflow-overrides.ts'
import { auditOperationsOf } from './people/audit-log.ts'
import { ownAccountOperations } from './people/own-account.ts'
import { peopleOperations } from './people/people.ts'
import { preferenceOperations } from './preferences/preferences.ts'
import { preferenceV1Operations } from './preferences/preferences-v1.ts'
import { inboundMailOperations } from './studio/inbound-mails.ts'
import { outboxOperations } from './studio/outbox.ts'
import { runControlOperations } from './studio/run-control.ts'
import { runEventOperations } from './studio/run-events.ts'
import { studioBridgeOperations } from './studio/studio-bridge.ts'
import { studioRunOperations } from './studio/studio-runs.ts'
import { studioSearchOperations } from './studio/studio-search.ts'
import { studioStepOperations } from './studio/studio-steps.ts'
import { studioTriggerOperations } from './studio/studio-triggers.ts'
import { credentialOperations } from './subscribers/credentials.ts'
import { subscriberOperations } from './subscribers/subscribers.ts'
import { subscriberV1Operations } from './subscribers/subscribers-v1.ts'
import { tenantOperations } from './tenants/tenants.ts'
import { subscriptionOperations } from './topics/subscriptions.ts'
import { topicOperations } from './topics/topics.ts'
import { topicV1Operations } from './topics/topics-v1.ts'
import { webhookDeliveryOperations } from './webhooks/webhook-deliveries.ts'
import { webhookEndpointOperations } from './webhooks/webhook-endpoints.ts'
import { workflowGroupOperations } from './workflows/workflow-groups.ts'
import { workflowStepOperations } from './workflows/workflow-steps.ts'
import { workflowOperations } from './workflows/workflows.ts'
import { workflowV1Operations } from './workflows/workflows-v1.ts'

export const operations: readonly AnyOperation[] = Object.freeze([
  ...executionDetailOperations,
  ...messageOperations,
  ...notificationOperations,
  ...bridgeOperations,
  ...domainOperations,
  ...domainRouteOperations,
  ...routeTestOperations,
  ...accountOperations,
  ...environmentOperations,
  ...eventOperations,
  ...emitOperations,
  ...feedOperations,
  ...preferenceOperations,
  ...preferenceV1Operations,
  ...credentialOperations,
  ...subscriberOperations,
  ...subscriberV1Operations,
  ...tenantOperations,
  ...subscriptionOperations,
  ...topicOperations,
  ...topicV1Operations,
  ...workflowGroupOperations,
  ...workflowOverrideOperations,
  ...workflowStepOperations,
  ...workflowOperations,
  ...workflowV1Operations,
  ...blueprintOperations,
  ...contextOperations,
  ...environmentVariableOperations,
  ...channelConnectionOperations,
  ...channelEndpointOperations,
  ...oauthOperations,
  ...integrationOperations,
  ...integrationTestOperations,
  ...deliveryReportOperations,
  ...layoutOperations,
  ...layoutV2Operations,
  ...translationListOperations,
  ...translationOperations,
  ...translationUploadOperations,
  ...inboxOperations,
  ...inboxChangeOperations,
  ...inboxMassOperations,
  ...subscriberFeedOperations,
  ...sessionOperations,
  ...inboxEventOperations,
  ...ownMessageOperations,
  ...ownPreferenceOperations,
  ...ownSubscriptionOperations,
  ...inboundMailOperations,
  ...outboxOperations,
  ...runControlOperations,
  ...runEventOperations,
  ...studioBridgeOperations,
  ...studioStepOperations,
  ...studioTriggerOperations,
  ...studioRunOperations,
  ...studioSearchOperations,
  ...conversationOperations,
  ...conversationActOperations,
  ...agentBridgeOperations,
  ...agentReplyOperations,
  ...slackCallOperations,
  ...peopleOperations,
  ...ownAccountOperations,
  ...auditOperationsOf((name) => operations.find((one) => one.name === name)?.summary),
  ...webhookEndpointOperations,
  ...webhookDeliveryOperations,
])
