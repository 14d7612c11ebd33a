import type { MessageRow } from './schema/message.ts'
import type { SubscriberRow } from './schema/subscriber.ts'
import type { WorkflowRow } from './schema/workflow.ts'

/** Default values of a message's columns. */
export const blankMessage: Readonly<
  Pick<
    MessageRow,
    | 'providerId'
    | 'integrationId'
    | 'errorId'
    | 'errorText'
    | 'subject'
    | 'title'
    | 'content'
    | 'avatar'
    | 'cta'
    | 'email'
    | 'phone'
    | 'directWebhookUrl'
    | 'deviceTokens'
    | 'feedId'
    | 'payload'
    | 'overrides'
    | 'data'
    | 'tags'
    | 'severity'
    | 'critical'
    | 'contextKeys'
    | 'seen'
    | 'read'
    | 'archived'
    | 'firstSeenAt'
    | 'lastSeenAt'
    | 'lastReadAt'
    | 'archivedAt'
    | 'snoozedUntil'
    | 'deliveredAt'
    | 'delivery'
    | 'attempts'
    | 'handOvers'
    | 'retryAt'
    | 'providerMessageId'
  >
> = Object.freeze({
  providerId: null,
  integrationId: null,
  errorId: null,
  errorText: null,
  subject: null,
  title: null,
  content: null,
  avatar: null,
  cta: '{}',
  email: null,
  phone: null,
  directWebhookUrl: null,
  deviceTokens: null,
  feedId: null,
  payload: '{}',
  overrides: '{}',
  data: null,
  tags: '[]',
  severity: 'none',
  critical: 0,
  contextKeys: '[]',
  seen: 0,
  read: 0,
  archived: 0,
  firstSeenAt: null,
  lastSeenAt: null,
  lastReadAt: null,
  archivedAt: null,
  snoozedUntil: null,
  deliveredAt: '[]',
  delivery: null,
  attempts: 0,
  handOvers: 0,
  retryAt: null,
  providerMessageId: null,
})

/** Default values of a subscriber's columns. */
export const blankSubscriber: Readonly<
  Pick<
    SubscriberRow,
    | 'firstName'
    | 'lastName'
    | 'email'
    | 'phone'
    | 'avatar'
    | 'locale'
    | 'timezone'
    | 'data'
    | 'channels'
    | 'isOnline'
    | 'lastOnlineAt'
  >
> = Object.freeze({
  firstName: null,
  lastName: null,
  email: null,
  phone: null,
  avatar: null,
  locale: null,
  timezone: null,
  data: null,
  channels: '[]',
  isOnline: null,
  lastOnlineAt: null,
})

/** Default values of a workflow's columns. */
export const blankWorkflow: Readonly<
  Pick<
    WorkflowRow,
    | 'description'
    | 'active'
    | 'draft'
    | 'critical'
    | 'severity'
    | 'tags'
    | 'groupId'
    | 'payloadSchema'
    | 'validatePayload'
    | 'preferences'
    | 'userPreferences'
    | 'cancelOn'
    | 'steps'
    | 'manifest'
    | 'next'
    | 'extra'
    | 'lastTriggeredAt'
  >
> = Object.freeze({
  description: null,
  active: 0,
  draft: 0,
  critical: 0,
  severity: 'none',
  tags: '[]',
  groupId: null,
  payloadSchema: null,
  validatePayload: 0,
  preferences: '{}',
  userPreferences: null,
  cancelOn: null,
  steps: '[]',
  manifest: null,
  next: 0,
  extra: '{}',
  lastTriggeredAt: null,
})
