import type { Severity } from './channel.ts'
import type { ContextMap } from './context.ts'
import type { JsonObject } from './json-object.ts'

/** A named group of subscribers. */
export interface Topic {
  /** The service's id. */
  readonly _id: string
  /** The key that identifies it. */
  readonly key: string
  /** Name for people. */
  readonly name?: string
  /** Free fields. */
  readonly data?: JsonObject
  /** When it was created. */
  readonly createdAt?: string
  /** When it was last changed. */
  readonly updatedAt?: string
}

/** A topic as the first version of the API returns it. */
export interface TopicV1 {
  /** The service's id. */
  readonly _id?: string
  /** The organization. */
  readonly _organizationId: string
  /** The environment. */
  readonly _environmentId: string
  /** The key that identifies it. */
  readonly key: string
  /** Name for people. */
  readonly name: string
  /** The subscribers' ids. */
  readonly subscribers: readonly string[]
}

/** The membership of one subscriber in a topic, first version. */
export interface TopicSubscriberV1 {
  /** The organization. */
  readonly _organizationId: string
  /** The environment. */
  readonly _environmentId: string
  /** The subscriber, by the service's id. */
  readonly _subscriberId: string
  /** The topic, by the service's id. */
  readonly _topicId: string
  /** The topic's key. */
  readonly topicKey: string
  /** The subscriber, by the customer's own id. */
  readonly externalSubscriberId: string
}

/** The outcome of adding subscribers with the first version. */
export interface AddedSubscribersV1 {
  /** The ids that were added. */
  readonly succeeded: readonly string[]
  /** The ids that were not. */
  readonly failed?: { readonly notFound: readonly string[] }
}

/** The subscriber of a subscription. */
export interface SubscriptionSubscriber {
  /** The service's id. */
  readonly _id: string
  /** The customer's own id. */
  readonly subscriberId: string
  /** URL of a picture. */
  readonly avatar?: string
  /** Given name. */
  readonly firstName?: string
  /** Family name. */
  readonly lastName?: string
  /** Mail address. */
  readonly email?: string
}

/** The preference of a subscription for one workflow. */
export interface SubscriptionPreference {
  /** The subscription. */
  readonly subscriptionId?: string
  /** The workflow. */
  readonly workflow?: {
    readonly id: string
    readonly identifier: string
    readonly name: string
    readonly critical: boolean
    readonly severity?: Severity
    readonly tags?: readonly string[]
    readonly data?: JsonObject
  }
  /** Whether anything is delivered. */
  readonly enabled: boolean
  /** The condition it applies under, in JSON logic. */
  readonly condition?: JsonObject
}

/** A subscription of a subscriber to a topic. */
export interface Subscription {
  /** The service's id. */
  readonly _id: string
  /** Its own identifier. */
  readonly identifier?: string
  /** Name for people. */
  readonly name?: string
  /** The topic. */
  readonly topic: { readonly _id: string; readonly key: string; readonly name?: string; readonly data?: JsonObject }
  /** The subscriber; `null` where it is gone. */
  readonly subscriber: SubscriptionSubscriber | null
  /** Preferences of the subscription. */
  readonly preferences?: readonly SubscriptionPreference[]
  /** The contexts it applies to. */
  readonly contextKeys?: readonly string[]
  /** When it was created. */
  readonly createdAt: string
  /** When it was last changed. */
  readonly updatedAt: string
}

/** A subscription as lists return it. */
export interface SubscriptionItem {
  /** The service's id. */
  readonly _id: string
  /** Its own identifier. */
  readonly identifier: string
  /** The topic. */
  readonly topic: Topic
  /** The subscriber. */
  readonly subscriber: SubscriptionSubscriber
  /** Preferences of the subscription. */
  readonly preferences?: readonly SubscriptionPreference[]
  /** The contexts it applies to. */
  readonly contextKeys?: readonly string[]
  /** When it was created. */
  readonly createdAt: string
}

/** One subscription with its preferences. */
export interface SubscriptionDetails {
  /** The service's id. */
  readonly id: string
  /** Its own identifier. */
  readonly identifier?: string
  /** Name for people. */
  readonly name?: string
  /** Preferences of the subscription. */
  readonly preferences?: readonly SubscriptionPreference[]
  /** The contexts it applies to. */
  readonly contextKeys?: readonly string[]
}

/** A subscriber to add to a topic or to remove from it. */
export type SubscriptionInput =
  | string
  | { readonly identifier?: string | undefined; readonly subscriberId: string; readonly name?: string | undefined }

/** Subscribers to remove from a topic, at most 100. */
export interface UnsubscribeBody {
  /** Subscriber ids, or subscriptions by their identifier. */
  readonly subscriptions: readonly (
    | string
    | {
        readonly identifier?: string | undefined
        readonly subscriberId?: string | undefined
        readonly name?: string | undefined
      }
  )[]
}

/** Subscribers to add to a topic, at most 100. */
export interface SubscriptionsBody {
  /** Subscriber ids, or subscriptions with an identifier of their own. */
  readonly subscriptions: readonly SubscriptionInput[]
  /** Name of the topic, when it is created on the way. */
  readonly name?: string | undefined
  /** The contexts of the subscription. */
  readonly context?: ContextMap | undefined
  /** Preferences of the subscription; their fields are not specified. */
  readonly preferences?: readonly object[] | undefined
}

/** The outcome of a change of subscriptions, one by one. */
export interface SubscriptionsResult {
  /** Those that went through. */
  readonly data: readonly Subscription[]
  /** How many there were, went through and failed. */
  readonly meta: { readonly totalCount: number; readonly successful: number; readonly failed: number }
  /** Those that failed, and why. */
  readonly errors?: readonly { readonly subscriberId: string; readonly code: string; readonly message: string }[]
}
