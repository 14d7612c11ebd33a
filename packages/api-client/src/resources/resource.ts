import type { JsonObject } from '../operations/operation.ts'

/** Credentials of a channel; which ones apply depends on the provider. */
export interface ChannelCredentials {
  /** Webhook of a chat. */
  readonly webhookUrl?: string
  /** Name of a channel. */
  readonly channel?: string
  /** Tokens of devices. */
  readonly deviceTokens?: readonly string[]
  /** Identifier of an alert. */
  readonly alertUid?: string
  /** Title of an alert. */
  readonly title?: string
  /** Picture of an alert. */
  readonly imageUrl?: string
  /** State of an alert. */
  readonly state?: string
  /** Link of an alert. */
  readonly externalUrl?: string
}

/** Providers a subscriber can have credentials for. */
export type ChannelProvider =
  | 'slack'
  | 'discord'
  | 'msteams'
  | 'mattermost'
  | 'ryver'
  | 'zulip'
  | 'grafana-on-call'
  | 'getstream'
  | 'rocket-chat'
  | 'whatsapp-business'
  | 'fcm'
  | 'apns'
  | 'expo'
  | 'one-signal'
  | 'pushpad'
  | 'push-webhook'
  | 'pusher-beams'

/** A channel of a subscriber. */
export interface Channel {
  /** The provider. */
  readonly providerId: string
  /** The integration, by its own identifier. */
  readonly integrationIdentifier?: string
  /** What the provider needs. */
  readonly credentials: ChannelCredentials
  /** The integration's id. */
  readonly _integrationId?: string
}

/** The profile fields a caller may set. */
export interface SubscriberProfile {
  /** Given name. */
  readonly firstName?: string | null
  /** Family name. */
  readonly lastName?: string | null
  /** Mail address. */
  readonly email?: string | null
  /** Phone number. */
  readonly phone?: string | null
  /** URL of a picture. */
  readonly avatar?: string | null
  /** BCP 47 language tag. */
  readonly locale?: string | null
  /** Time zone, IANA name. */
  readonly timezone?: string | null
  /** Free fields. */
  readonly data?: object | null
}

/** A new subscriber. */
export interface NewSubscriber extends SubscriberProfile {
  /** The customer's own id. */
  readonly subscriberId: string
}

/** A recipient of notifications. */
export interface Subscriber extends NewSubscriber {
  /** The service's id. */
  readonly _id?: string
  /** Channels with their credentials. */
  readonly channels?: readonly Channel[]
  /** Whether the subscriber is online now. */
  readonly isOnline?: boolean | null
  /** When the subscriber was last online. */
  readonly lastOnlineAt?: string | null
  /** The organization. */
  readonly _organizationId: string
  /** The environment. */
  readonly _environmentId: string
  /** Whether it has been deleted. */
  readonly deleted: boolean
  /** When it was made. */
  readonly createdAt: string
  /** When it was last changed. */
  readonly updatedAt: string
}

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
}

/** A topic as the first version of the API gives it. */
export interface TopicV1 extends Topic {
  /** The organization. */
  readonly _organizationId: string
  /** The environment. */
  readonly _environmentId: string
  /** The subscribers' ids. */
  readonly subscribers: readonly string[]
}

/** A feed of in-app messages. */
export interface Feed {
  /** The service's id. */
  readonly _id?: string
  /** Name for people. */
  readonly name: string
  /** The identifier. */
  readonly identifier: string
  /** The environment. */
  readonly _environmentId: string
  /** The organization. */
  readonly _organizationId: string
}

/** A variable whose value differs by environment. */
export interface EnvironmentVariable {
  /** The service's id. */
  readonly _id: string
  /** The organization. */
  readonly _organizationId: string
  /** The key. */
  readonly key: string
  /** The kind of value. */
  readonly type: string
  /** Whether the value is masked when it is read. */
  readonly isSecret: boolean
  /** One value per environment. */
  readonly values: readonly { readonly _environmentId: string; readonly value: string }[]
  /** When it was made. */
  readonly createdAt: string
  /** When it was last changed. */
  readonly updatedAt: string
}

/** What deleting a resource answers. */
export interface Deletion {
  /** Whether it was deleted. */
  readonly acknowledged: boolean
  /** `deleted`, where the operation tells it. */
  readonly status?: string
}
