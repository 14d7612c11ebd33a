import { z } from 'zod'
import { severity } from './channel.ts'
import { jsonRecord } from './json-record.ts'
import { named } from './named.ts'

export const topic: z.ZodType = named('Topic', 'A named group of subscribers.', {
  _id: z.string().describe('The id, assigned by the service.'),
  key: z.string().describe('The key that identifies it.'),
  name: z.string().optional().describe('The display name.'),
  data: jsonRecord.optional().describe('Custom data.'),
  createdAt: z.string().describe('When it was created.'),
  updatedAt: z.string().describe('When it was last changed.'),
})

export const topicV1: z.ZodType = named('TopicV1', 'A topic (v1).', {
  _id: z.string().describe('The id, assigned by the service.'),
  _organizationId: z.string().describe('The organization.'),
  _environmentId: z.string().describe('The environment.'),
  key: z.string().describe('The key that identifies it.'),
  name: z.string().describe('The display name.'),
  subscribers: z.array(z.string()).describe("The subscribers' ids."),
})

export const topicSubscriberV1: z.ZodType = named(
  'TopicSubscriberV1',
  'The membership of one subscriber in a topic (v1).',
  {
    _organizationId: z.string().describe('The organization.'),
    _environmentId: z.string().describe('The environment.'),
    _subscriberId: z.string().describe('The id of the subscriber, assigned by the service.'),
    _topicId: z.string().describe('The id of the topic, assigned by the service.'),
    topicKey: z.string().describe("The topic's key."),
    externalSubscriberId: z.string().describe('The subscriber id, chosen by the caller.'),
  },
)

export const addedSubscribersV1: z.ZodType = named('AddedSubscribersV1', 'The outcome of adding subscribers (v1).', {
  succeeded: z.array(z.string()).describe('The ids that were added.'),
  failed: z
    .object({
      notFound: z.array(z.string()),
    })
    .optional()
    .describe('The ids that were not added.'),
})

export const subscriptionSubscriber: z.ZodType = named('SubscriptionSubscriber', 'The subscriber of a subscription.', {
  _id: z.string().describe('The id, assigned by the service.'),
  subscriberId: z.string().describe('The subscriber id, chosen by the caller.'),
  avatar: z.string().optional().describe('URL of an image.'),
  firstName: z.string().optional().describe('Given name.'),
  lastName: z.string().optional().describe('Family name.'),
  email: z.string().optional().describe('Email address.'),
})

export const subscriptionPreference: z.ZodType = named(
  'SubscriptionPreference',
  'The preference of a subscription for one workflow.',
  {
    subscriptionId: z.string().optional().describe('The subscription.'),
    workflow: z
      .object({
        id: z.string(),
        identifier: z.string(),
        name: z.string(),
        critical: z.boolean(),
        severity: severity.optional(),
        tags: z.array(z.string()).optional(),
        data: jsonRecord.optional(),
      })
      .optional()
      .describe('The workflow.'),
    enabled: z.boolean().describe('Whether messages are delivered.'),
    condition: jsonRecord.optional().describe('The condition for applying it, in JSON logic.'),
  },
)

const subscriptionFields = {
  _id: z.string().describe('The id, assigned by the service.'),
  identifier: z.string().describe('The identifier.'),
  name: z.string().optional().describe('The display name.'),
  topic: z
    .object({
      _id: z.string(),
      key: z.string(),
      name: z.string().optional(),
      data: jsonRecord.optional(),
    })
    .describe('The topic.'),
  subscriber: subscriptionSubscriber.nullable().describe('The subscriber; `null` if it was deleted.'),
  preferences: z.array(subscriptionPreference).optional().describe('Preferences of the subscription.'),
  contextKeys: z.array(z.string()).optional().describe('The contexts it applies to.'),
  createdAt: z.string().describe('When it was created.'),
  updatedAt: z.string().describe('When it was last changed.'),
}

export const subscription: z.ZodType = named(
  'Subscription',
  'A subscription of a subscriber to a topic.',
  subscriptionFields,
)

export const subscriptionItem: z.ZodType = named('SubscriptionItem', 'A subscription as lists return it.', {
  ...subscriptionFields,
  identifier: z.string().describe('The identifier.'),
  subscriber: subscriptionSubscriber.describe('The subscriber.'),
})

export const subscriptionDetails: z.ZodType = named('SubscriptionDetails', 'One subscription with its preferences.', {
  id: z.string().describe('The id, assigned by the service.'),
  ...subscriptionFields,
})

export const subscriptionsResult: z.ZodType = named(
  'SubscriptionsResult',
  'The outcome of a change to subscriptions, one by one.',
  {
    data: z.array(subscription).describe('Successful changes.'),
    meta: z
      .object({
        totalCount: z.number(),
        successful: z.number(),
        failed: z.number(),
      })
      .describe('The number of changes in total, successful and failed.'),
    errors: z
      .array(
        z.object({
          subscriberId: z.string(),
          code: z.string(),
          message: z.string(),
        }),
      )
      .optional()
      .describe('Failed items, with reasons.'),
  },
)
