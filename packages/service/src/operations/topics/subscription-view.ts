import type { JsonObject } from '@trestle/protocol'
import { compact } from '../../json/json.ts'
import type { SubscriberRow, TopicRow, TopicSubscriptionRow } from '../../store/schema/subscriber.ts'

/** Rows needed to show a subscription. */
export interface SubscriptionParts {
  readonly topic: Pick<TopicRow, 'id' | 'key' | 'name' | 'data'>
  readonly subscriber: Pick<SubscriberRow, 'id' | 'subscriberId' | 'avatar' | 'firstName' | 'lastName' | 'email'>
}

/** Returns a subscription as the API shows it. */
export function toSubscription(row: TopicSubscriptionRow, { topic, subscriber }: SubscriptionParts): JsonObject {
  return compact({
    _id: row.id,
    identifier: row.identifier,
    name: row.name ?? undefined,
    topic: compact({
      _id: topic.id,
      key: topic.key,
      name: topic.name ?? undefined,
      data: topic.data === null ? undefined : JSON.parse(topic.data),
    }),
    subscriber: compact({
      _id: subscriber.id,
      subscriberId: subscriber.subscriberId,
      avatar: subscriber.avatar ?? undefined,
      firstName: subscriber.firstName ?? undefined,
      lastName: subscriber.lastName ?? undefined,
      email: subscriber.email ?? undefined,
    }),
    preferences: row.preferences === null ? undefined : JSON.parse(row.preferences),
    contextKeys: row.contextKeys === null ? undefined : JSON.parse(row.contextKeys),
    createdAt: new Date(row.createdAt).toISOString(),
    updatedAt: new Date(row.updatedAt).toISOString(),
  })
}
