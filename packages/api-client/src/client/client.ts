import type { ApiClientOptions } from '../config/options.ts'
import {
  type ExecutionDetailShapes,
  executionDetailOperations,
  type MessageShapes,
  messageOperations,
  type NotificationShapes,
  notificationOperations,
} from '../operations/activity.ts'
import { type BridgeShapes, bridgeOperations } from '../operations/bridge.ts'
import {
  type ChannelConnectionShapes,
  type ChannelEndpointShapes,
  type ContextShapes,
  channelConnectionOperations,
  channelEndpointOperations,
  contextOperations,
} from '../operations/contexts.ts'
import {
  type FeedShapes,
  feedOperations,
  type IntegrationShapes,
  integrationOperations,
  type LayoutShapes,
  layoutOperations,
} from '../operations/delivery.ts'
import {
  type ApiKeyShapes,
  apiKeyOperations,
  type BlueprintShapes,
  blueprintOperations,
  type EnvironmentShapes,
  type EnvironmentVariableShapes,
  environmentOperations,
  environmentVariableOperations,
  type TenantShapes,
  tenantOperations,
} from '../operations/environments.ts'
import { type EventShapes, eventOperations } from '../operations/events.ts'
import { type InboxShapes, inboxOperations } from '../operations/inbox.ts'
import type { Group, Operation } from '../operations/operation.ts'
import { type SubscriberShapes, subscriberOperations } from '../operations/subscribers.ts'
import { type TopicShapes, topicOperations } from '../operations/topics.ts'
import {
  type WorkflowGroupShapes,
  type WorkflowOverrideShapes,
  type WorkflowShapes,
  workflowGroupOperations,
  workflowOperations,
  workflowOverrideOperations,
} from '../operations/workflows.ts'
import { createGroups } from './create-groups.ts'

/** The operations of the API by resource. Every function rejects with an `ApiError`. */
export interface ApiClient {
  /** Triggering workflows. */
  readonly events: Group<typeof eventOperations, EventShapes>
  /** Recipients. */
  readonly subscribers: Group<typeof subscriberOperations, SubscriberShapes>
  /** In-app messages of a subscriber. */
  readonly inbox: Group<typeof inboxOperations, InboxShapes>
  /** Named groups of subscribers. */
  readonly topics: Group<typeof topicOperations, TopicShapes>
  /** Runs of workflows. */
  readonly notifications: Group<typeof notificationOperations, NotificationShapes>
  /** Messages of runs. */
  readonly messages: Group<typeof messageOperations, MessageShapes>
  /** The course of a run, step by step. */
  readonly executionDetails: Group<typeof executionDetailOperations, ExecutionDetailShapes>
  /** Workflows that live in the service. */
  readonly workflows: Group<typeof workflowOperations, WorkflowShapes>
  /** Changes of a workflow for one tenant. */
  readonly workflowOverrides: Group<typeof workflowOverrideOperations, WorkflowOverrideShapes>
  /** Groups of workflows. */
  readonly workflowGroups: Group<typeof workflowGroupOperations, WorkflowGroupShapes>
  /** Configured delivery providers. */
  readonly integrations: Group<typeof integrationOperations, IntegrationShapes>
  /** Wrappers of email content. */
  readonly layouts: Group<typeof layoutOperations, LayoutShapes>
  /** Feeds of in-app messages. */
  readonly feeds: Group<typeof feedOperations, FeedShapes>
  /** Variables whose value differs by environment. */
  readonly environmentVariables: Group<typeof environmentVariableOperations, EnvironmentVariableShapes>
  /** Ready-made workflows. */
  readonly blueprints: Group<typeof blueprintOperations, BlueprintShapes>
  /** Environments of the organization. */
  readonly environments: Group<typeof environmentOperations, EnvironmentShapes>
  /** Secret keys of the environment. */
  readonly apiKeys: Group<typeof apiKeyOperations, ApiKeyShapes>
  /** Tenants of the customer. */
  readonly tenants: Group<typeof tenantOperations, TenantShapes>
  /** Contexts of runs. */
  readonly contexts: Group<typeof contextOperations, ContextShapes>
  /** Connections of a workspace to a channel. */
  readonly channelConnections: Group<typeof channelConnectionOperations, ChannelConnectionShapes>
  /** Endpoints of a subscriber on a channel. */
  readonly channelEndpoints: Group<typeof channelEndpointOperations, ChannelEndpointShapes>
  /** The stored bridge of the environment. */
  readonly bridge: Group<typeof bridgeOperations, BridgeShapes>
}

/** Every operation of the API, by resource and name. */
export const operations: Readonly<Record<keyof ApiClient, Readonly<Record<string, Operation>>>> = Object.freeze({
  events: eventOperations,
  subscribers: subscriberOperations,
  inbox: inboxOperations,
  topics: topicOperations,
  notifications: notificationOperations,
  messages: messageOperations,
  executionDetails: executionDetailOperations,
  workflows: workflowOperations,
  workflowOverrides: workflowOverrideOperations,
  workflowGroups: workflowGroupOperations,
  integrations: integrationOperations,
  layouts: layoutOperations,
  feeds: feedOperations,
  environmentVariables: environmentVariableOperations,
  blueprints: blueprintOperations,
  environments: environmentOperations,
  apiKeys: apiKeyOperations,
  tenants: tenantOperations,
  contexts: contextOperations,
  channelConnections: channelConnectionOperations,
  channelEndpoints: channelEndpointOperations,
  bridge: bridgeOperations,
})

/**
 * Creates a client of the service's REST API.
 *
 * @param options - Secret, address and limits.
 * @throws ApiError - `BrowserRefused` in a web page; `RequestInvalid` for an option that cannot be used.
 * @source service-api.md#endpoints
 *
 * @example
 * const api = createApiClient({ secretKey, apiUrl })
 * const { data } = await api.events.trigger({ body: { name: 'order-shipped', to: 'customer-1', payload: { id: 7 } } })
 * for await (const subscriber of api.subscribers.search.each({ query: { limit: 100 } })) console.log(subscriber.email)
 */
export function createApiClient(options: ApiClientOptions): ApiClient {
  // The types come from the same rows; `client.test.ts` calls every one of them.
  return createGroups(operations, options) as ApiClient
}
