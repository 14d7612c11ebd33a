import type { Flag, Id, JsonText, Millis } from './column.ts'

/** A recipient. */
export interface SubscriberRow {
  /** Primary key. */
  id: Id
  /** The environment it belongs to. */
  environmentId: Id
  /** The caller's own identifier; unique in the environment. */
  subscriberId: string
  /** Given name. */
  firstName: string | null
  /** Family name. */
  lastName: string | null
  /** Mail address. */
  email: string | null
  /** Phone number. */
  phone: string | null
  /** Address of a picture. */
  avatar: string | null
  /** Language, such as `en_US`. */
  locale: string | null
  /** Time zone, such as `Europe/Berlin`. */
  timezone: string | null
  /** Free fields, an object. */
  data: JsonText | null
  /** A list of `{ providerId, integrationIdentifier?, _integrationId, credentials }`. */
  channels: JsonText
  /** Whether the recipient is online; null when it was never said. */
  isOnline: Flag | null
  /** When the recipient was last online. */
  lastOnlineAt: Millis | null
  /** When it was created. */
  createdAt: Millis
  /** When it was last changed. */
  updatedAt: Millis
}

/** A choice of a subscriber: for everything (`workflowId` is empty), or for one workflow. */
export interface PreferenceRow {
  /** Primary key. */
  id: Id
  /** The environment it belongs to. */
  environmentId: Id
  /** Row id of the subscriber. */
  subscriberId: Id
  /** Row id of the workflow; empty for the global preference. Unique with subscriber and context. */
  workflowId: Id | ''
  /** The context it holds for: sorted `type:id` texts joined by a comma; empty for none. */
  contextKey: string
  /** Whether anything is wanted; null when not said. */
  enabled: Flag | null
  /** The choice for each channel: `{ email?: boolean, ... }`. */
  channels: JsonText
  /** The weekly schedule, of the global preference only. */
  schedule: JsonText | null
  /** When it was created. */
  createdAt: Millis
  /** When it was last changed. */
  updatedAt: Millis
}

/** A named group of subscribers. */
export interface TopicRow {
  /** Primary key. */
  id: Id
  /** The environment it belongs to. */
  environmentId: Id
  /** The caller's own identifier; unique in the environment. */
  key: string
  /** Its name. */
  name: string | null
  /** Free fields, an object. */
  data: JsonText | null
  /** When it was created. */
  createdAt: Millis
  /** When it was last changed. */
  updatedAt: Millis
}

/** One subscriber in one topic. */
export interface TopicSubscriptionRow {
  /** Primary key. */
  id: Id
  /** The environment it belongs to. */
  environmentId: Id
  /** Row id of the topic. */
  topicId: Id
  /** Row id of the subscriber. */
  subscriberId: Id
  /** Identifies it in the topic; unique there. */
  identifier: string
  /** Its name. */
  name: string | null
  /** The subscriber's preferences for this topic, as a list. */
  preferences: JsonText | null
  /** The contexts it holds for: a list of `type:id`; null for all. */
  contextKeys: JsonText | null
  /** When it was created. */
  createdAt: Millis
  /** When it was last changed. */
  updatedAt: Millis
}
