import { blueprintOperations } from './configuration/blueprints.ts'
import { contextOperations } from './configuration/contexts.ts'
import { environmentVariableOperations } from './configuration/environment-variables.ts'
import { channelConnectionOperations } from './delivery/channel-connections.ts'
import { channelEndpointOperations } from './delivery/channel-endpoints.ts'
import { integrationOperations } from './delivery/integrations.ts'
import { layoutOperations } from './delivery/layouts.ts'
import { layoutV2Operations } from './delivery/layouts-v2.ts'
import { translationOperations } from './delivery/translations.ts'
import { inboxOperations } from './inbox/inbox.ts'
import { inboxChangeOperations } from './inbox/inbox-changes.ts'
import { subscriberFeedOperations } from './inbox/subscriber-feed.ts'
import type { AnyOperation } from './operation.ts'
import { outboxOperations } from './studio/outbox.ts'
import { runControlOperations } from './studio/run-control.ts'
import { runEventOperations } from './studio/run-events.ts'

/** Every operation of the API. */
export const operations: readonly AnyOperation[] = Object.freeze([
  ...blueprintOperations,
  ...contextOperations,
  ...environmentVariableOperations,
  ...channelConnectionOperations,
  ...channelEndpointOperations,
  ...integrationOperations,
  ...layoutOperations,
  ...layoutV2Operations,
  ...translationOperations,
  ...inboxOperations,
  ...inboxChangeOperations,
  ...subscriberFeedOperations,
  ...outboxOperations,
  ...runControlOperations,
  ...runEventOperations,
])
