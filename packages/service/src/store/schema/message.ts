import type { Flag, Id, JsonText, Millis } from './column.ts'

/** A message as it was stored for its recipient. */
export interface MessageRow {
  /** Primary key. */
  id: Id
  /** The environment it belongs to. */
  environmentId: Id
  /** The step and what distinguishes its messages, such as an integration. Unique: no message is stored twice. */
  dedupeKey: string
  /** Row id of the run. */
  runId: Id
  /** Row id of the step. */
  jobId: Id
  /** Row id of the workflow. */
  workflowId: Id
  /** The workflow's identifier. */
  workflowIdentifier: string
  /** Row id of the subscriber. */
  subscriberId: Id
  /** The run's transaction. */
  transactionId: string
  /** `in_app`, `email`, `sms`, `push`, `chat` or `tool`. */
  channel: string
  /** The delivery provider. */
  providerId: string | null
  /** The integration that delivers it. */
  integrationId: Id | null
  /** `pending` until a provider answered; then `sent`, `error` or `warning`. */
  status: 'pending' | 'sent' | 'error' | 'warning'
  /** The kind of error. */
  errorId: string | null
  /** The error, for people. */
  errorText: string | null
  /** Subject of a mail or an in-app message. */
  subject: string | null
  /** Title of a push message. */
  title: string | null
  /** The body: a JSON string, or the blocks of a mail. */
  content: JsonText | null
  /** Address of a picture. */
  avatar: string | null
  /** Buttons and redirect: `{ type?, data?, action? }`. */
  cta: JsonText
  /** The mail address it went to. */
  email: string | null
  /** The phone number it went to. */
  phone: string | null
  /** The webhook it went to. */
  directWebhookUrl: string | null
  /** The devices it went to, a list. */
  deviceTokens: JsonText | null
  /** Row id of its feed. */
  feedId: Id | null
  /** The trigger's payload, without attachments. */
  payload: JsonText
  /** The trigger's overrides. */
  overrides: JsonText
  /** Free fields of an in-app message. */
  data: JsonText | null
  /** The workflow's tags, a list. */
  tags: JsonText
  /** The severity. */
  severity: string
  /** Whether the workflow is critical. */
  critical: Flag
  /** A list of `type:id`. */
  contextKeys: JsonText
  /** Whether it was seen. */
  seen: Flag
  /** Whether it was read. */
  read: Flag
  /** Whether it was put away. */
  archived: Flag
  /** When it was first seen. */
  firstSeenAt: Millis | null
  /** When it was last seen. */
  lastSeenAt: Millis | null
  /** When it was last read. */
  lastReadAt: Millis | null
  /** When it was put away. */
  archivedAt: Millis | null
  /** Until when it is hidden. */
  snoozedUntil: Millis | null
  /** When it reached the feed or the provider took it, and again after each snooze: a list of times. */
  deliveredAt: JsonText
  /** The request that waits to be sent, sealed; null for what does not wait. */
  delivery: string | null
  /** How often it was handed to its provider. */
  attempts: number
  /** How often it was handed to its provider since an answer was stored. */
  handOvers: number
  /** When it is handed over again; null for what was not put off. */
  retryAt: Millis | null
  /** The provider's own id of it. */
  providerMessageId: string | null
  /** When it was created. */
  createdAt: Millis
  /** When it was last changed. */
  updatedAt: Millis
}

/** A message that would have left the service, kept where no integration delivers it. */
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
  /** Whom it is for: a mail address, a phone number, a webhook. */
  recipient: string
  /** The message as it would have been handed to the provider. */
  content: JsonText
  /** When it was read in the outbox. */
  readAt: Millis | null
  /** When it was put here. */
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
  /** The identifier that messages name. */
  identifier: string
  /** When it was created. */
  createdAt: Millis
}
