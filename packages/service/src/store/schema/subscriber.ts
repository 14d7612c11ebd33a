import type { Flag, Id, JsonText, Millis } from './column.ts'

export interface SubscriberRow {
  /** Primary key. */
  id: Id
  /** The environment it belongs to. */
  environmentId: Id
  /** The subscriber id, chosen by the app; unique in the environment. */
  subscriberId: string
  firstName: string | null
  lastName: string | null
  /** Email address. */
  email: string | null
  /** Phone number. */
  phone: string | null
  /** URL of the avatar. */
  avatar: string | null
  /** Locale, such as `en_US`. */
  locale: string | null
  /** Time zone, such as `Europe/Berlin`. */
  timezone: string | null
  /** Free-form data, an object. */
  data: JsonText | null
  /** A list of `{ providerId, integrationIdentifier?, _integrationId, credentials }`. */
  channels: JsonText
  /** Whether the subscriber is online; null if unknown. */
  isOnline: Flag | null
  /** When the subscriber was last online. */
  lastOnlineAt: Millis | null
  /** When it was created. */
  createdAt: Millis
  /** When it was last changed. */
  updatedAt: Millis
}

/** A preference of a subscriber: global (`workflowId` is empty), or for one workflow. */
export interface PreferenceRow {
  /** Primary key. */
  id: Id
  /** The environment it belongs to. */
  environmentId: Id
  /** Row id of the subscriber. */
  subscriberId: Id
  /** Row id of the workflow; empty for the global preference. Unique with subscriber and context. */
  workflowId: Id | ''
  /** The context of the preference: sorted `type:id` strings, joined by commas; empty for none. */
  contextKey: string
  /** Whether messages are enabled; null if not set. */
  enabled: Flag | null
  /** The preference per channel: `{ email?: boolean, ... }`. */
  channels: JsonText
  /** The weekly schedule; only in global preferences. */
  schedule: JsonText | null
  /** When it was created. */
  createdAt: Millis
  /** When it was last changed. */
  updatedAt: Millis
}

/** A topic: a named group of subscribers. */
export interface TopicRow {
  /** Primary key. */
  id: Id
  /** The environment it belongs to. */
  environmentId: Id
  /** The topic key, chosen by the caller; unique in the environment. */
  key: string
  name: string | null
  /** Free-form data, an object. */
  data: JsonText | null
  /** When it was created. */
  createdAt: Millis
  /** When it was last changed. */
  updatedAt: Millis
}

/** The subscription of a subscriber to a topic. */
export interface TopicSubscriptionRow {
  /** Primary key. */
  id: Id
  /** The environment it belongs to. */
  environmentId: Id
  /** Row id of the topic. */
  topicId: Id
  /** Row id of the subscriber. */
  subscriberId: Id
  /** The identifier; unique in the topic. */
  identifier: string
  name: string | null
  /** The subscriber's preferences for this topic, a list. */
  preferences: JsonText | null
  /** The contexts of the subscription: a list of `type:id`; null for all. */
  contextKeys: JsonText | null
  /** When it was created. */
  createdAt: Millis
  /** When it was last changed. */
  updatedAt: Millis
}
