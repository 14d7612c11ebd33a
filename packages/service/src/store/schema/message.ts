import type { Flag, Id, JsonText, Millis } from './column.ts'

/** A message for a recipient. */
export interface MessageRow {
  /** Primary key. */
  id: Id
  /** The environment it belongs to. */
  environmentId: Id
  /**
   * Combines the step with what distinguishes its messages, such as an integration. Unique, so that no message is
   * stored twice.
   */
  dedupeKey: string
  /** Row id of the run. */
  runId: Id
  /** Row id of the step. */
  jobId: Id
  /** Row id of the workflow. */
  workflowId: Id
  workflowIdentifier: string
  /** Row id of the subscriber. */
  subscriberId: Id
  /** The transaction id of the run. */
  transactionId: string
  /** `in_app`, `email`, `sms`, `push`, `chat` or `tool`. */
  channel: string
  /** The delivery provider. */
  providerId: string | null
  /** The integration that delivers it. */
  integrationId: Id | null
  /** `pending` until the provider responds, then `sent`, `error` or `warning`. */
  status: 'pending' | 'sent' | 'error' | 'warning'
  /** The error code. */
  errorId: string | null
  /** The human-readable error. */
  errorText: string | null
  /** The subject of an email or in-app message. */
  subject: string | null
  /** The title of a push message. */
  title: string | null
  /** The body: a JSON string, or the blocks of an email. */
  content: JsonText | null
  /** The URL of the avatar. */
  avatar: string | null
  /** Buttons and redirect: `{ type?, data?, action? }`. */
  cta: JsonText
  /** The recipient's email address. */
  email: string | null
  /** The recipient's phone number. */
  phone: string | null
  /** The recipient's webhook. */
  directWebhookUrl: string | null
  /** The recipient's device tokens, a list. */
  deviceTokens: JsonText | null
  /** Row id of the message's feed. */
  feedId: Id | null
  /** The trigger's payload, without attachments. */
  payload: JsonText
  /** The trigger's overrides. */
  overrides: JsonText
  /** Free-form data of an in-app message. */
  data: JsonText | null
  /** The workflow's tags, a list. */
  tags: JsonText
  severity: string
  /** Whether the workflow is critical. */
  critical: Flag
  /** A list of `type:id`. */
  contextKeys: JsonText
  /** Whether the message was seen. */
  seen: Flag
  /** Whether the message was read. */
  read: Flag
  /** Whether it is archived. */
  archived: Flag
  /** When it was first seen. */
  firstSeenAt: Millis | null
  /** When it was last seen. */
  lastSeenAt: Millis | null
  /** When it was last read. */
  lastReadAt: Millis | null
  /** When it was archived. */
  archivedAt: Millis | null
  /** When the snooze ends. */
  snoozedUntil: Millis | null
  /**
   * When the message reached the feed or was accepted by the provider, and when each snooze ended; a list of the last
   * 100 times.
   */
  deliveredAt: JsonText
  /** The encrypted request that will be sent; null if none is pending. */
  delivery: string | null
  /** The number of attempts. */
  attempts: number
  /** The number of attempts since a response was last stored. */
  handOvers: number
  /** The time of the next attempt; null if no retry is scheduled. */
  retryAt: Millis | null
  /** The provider's message id. */
  providerMessageId: string | null
  /** When it was created. */
  createdAt: Millis
  /** When it was last changed. */
  updatedAt: Millis
}

/** What a provider has reported about a message that it has accepted. */
export interface DeliveryReportRow {
  /** Primary key; sorts by time. */
  id: Id
  /** The environment it belongs to. */
  environmentId: Id
  /** Row id of the run. */
  runId: Id
  /** Row id of the message. */
  messageId: Id
  /** A hash of the provider's event id. Unique for the message, so that a repeated report is stored once. */
  eventKey: string
  /** `delivered`, `opened`, `clicked`, `bounced` or `complained`. */
  type: string
  /** Why the message was not delivered. */
  reason: string | null
  /** When it happened, according to the provider. */
  happenedAt: Millis
  /** When it was received. */
  createdAt: Millis
}

/** A message stored in the outbox because no integration delivers it. */
export interface OutboxRow {
  /** Primary key; sorts by time. */
  id: Id
  /** The environment it belongs to. */
  environmentId: Id
  /** Row id of the message. Unique. */
  messageId: Id
  /** Row id of the run. */
  runId: Id
  /** `email`, `sms`, `push`, `chat` or `tool`. */
  channel: string
  /** The recipient: an email address, a phone number, or a webhook. */
  recipient: string
  /** The message in the provider's format. */
  content: JsonText
  /** When it was opened in the outbox. */
  readAt: Millis | null
  /** When it was created. */
  createdAt: Millis
}

/** A feed of in-app messages. */
export interface FeedRow {
  /** Primary key. */
  id: Id
  /** The environment it belongs to. */
  environmentId: Id
  /** Its name; unique in the environment. */
  name: string
  /** The identifier by which messages reference the feed. */
  identifier: string
  /** When it was created. */
  createdAt: Millis
}
