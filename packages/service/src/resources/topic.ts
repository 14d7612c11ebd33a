import { z } from 'zod'
import { severity } from './channel.ts'
import { jsonRecord } from './json-record.ts'
import { named } from './named.ts'

export const topic: z.ZodType = named('Topic', 'A named group of subscribers.', {
  _id: z.string().describe("The service's id."),
  key: z.string().describe('The key that identifies it.'),
  name: z.string().optional().describe('Name for people.'),
  data: jsonRecord.optional().describe('Free fields.'),
  createdAt: z.string().describe('When it was created.'),
  updatedAt: z.string().describe('When it was last changed.'),
})

export const topicV1: z.ZodType = named('TopicV1', 'A topic as the first version of the API returns it.', {
  _id: z.string().describe("The service's id."),
  _organizationId: z.string().describe('The organization.'),
  _environmentId: z.string().describe('The environment.'),
  key: z.string().describe('The key that identifies it.'),
  name: z.string().describe('Name for people.'),
  subscribers: z.array(z.string()).describe("The subscribers' ids."),
})

export const topicSubscriberV1: z.ZodType = named(
  'TopicSubscriberV1',
  'The membership of one subscriber in a topic, first version.',
  {
    _organizationId: z.string().describe('The organization.'),
    _environmentId: z.string().describe('The environment.'),
    _subscriberId: z.string().describe("The subscriber, by the service's id."),
    _topicId: z.string().describe("The topic, by the service's id."),
    topicKey: z.string().describe("The topic's key."),
    externalSubscriberId: z.string().describe("The subscriber, by the customer's own id."),
  },
)

export const addedSubscribersV1: z.ZodType = named(
  'AddedSubscribersV1',
  'The outcome of adding subscribers with the first version.',
  {
    succeeded: z.array(z.string()).describe('The ids that were added.'),
    failed: z
      .object({
        notFound: z.array(z.string()),
      })
      .optional()
      .describe('The ids that were not.'),
  },
)

export const subscriptionSubscriber: z.ZodType = named('SubscriptionSubscriber', 'The subscriber of a subscription.', {
  _id: z.string().describe("The service's id."),
  subscriberId: z.string().describe("The customer's own id."),
  avatar: z.string().optional().describe('URL of a picture.'),
  firstName: z.string().optional().describe('Given name.'),
  lastName: z.string().optional().describe('Family name.'),
  email: z.string().optional().describe('Mail address.'),
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
    enabled: z.boolean().describe('Whether anything is delivered.'),
    condition: jsonRecord.optional().describe('The condition it applies under, in JSON logic.'),
  },
)

const subscriptionFields = {
  _id: z.string().describe("The service's id."),
  identifier: z.string().describe('Its own identifier.'),
  name: z.string().optional().describe('Name for people.'),
  topic: z
    .object({
      _id: z.string(),
      key: z.string(),
      name: z.string().optional(),
      data: jsonRecord.optional(),
    })
    .describe('The topic.'),
  subscriber: subscriptionSubscriber.nullable().describe('The subscriber; `null` if it is gone.'),
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
  identifier: z.string().describe('Its own identifier.'),
  subscriber: subscriptionSubscriber.describe('The subscriber.'),
})

export const subscriptionDetails: z.ZodType = named('SubscriptionDetails', 'One subscription with its preferences.', {
  id: z.string().describe("The service's id."),
  ...subscriptionFields,
})

export const subscriptionsResult: z.ZodType = named(
  'SubscriptionsResult',
  'The outcome of a change of subscriptions, one by one.',
  {
    data: z.array(subscription).describe('Those that went through.'),
    meta: z
      .object({
        totalCount: z.number(),
        successful: z.number(),
        failed: z.number(),
      })
      .describe('How many there were, went through and failed.'),
    errors: z
      .array(
        z.object({
          subscriberId: z.string(),
          code: z.string(),
          message: z.string(),
        }),
      )
      .optional()
      .describe('Those that failed, and why.'),
  },
)
