import type { Id, JsonText, Millis } from './column.ts'

/** An agent that the bridge of an environment lists. */
export interface AgentRow {
  /** Primary key. */
  id: Id
  /** The environment it belongs to. */
  environmentId: Id
  /** The agent's id in the bridge; unique in the environment. */
  identifier: string
  /** Its index in the bridge's list. */
  position: number
  /** When it was first listed. */
  createdAt: Millis
  /** When it was last listed. */
  updatedAt: Millis
}

/** A conversation between users and an agent. */
export interface ConversationRow {
  /** Primary key; the conversation id in the API. */
  id: Id
  /** The environment it belongs to. */
  environmentId: Id
  /** The agent's id in the bridge. */
  agentId: string
  /** Whether it is open. */
  status: 'open' | 'resolved'
  platform: 'web' | 'slack' | 'email'
  /** The integration that the agent uses; `web` if there is none. */
  integrationIdentifier: string
  /** The subscriber id, chosen by the app. */
  subscriberId: string | null
  /** The thread on the platform; unique with integration and agent. */
  threadKey: string | null
  /** Its location on the platform, such as channel and thread, an object. */
  platformContext: JsonText
  /** The start of the first message. */
  title: string
  /** The agent's summary of how it ended. */
  summary: string | null
  /** Data that the agent stores with it, an object. */
  metadata: JsonText
  /** The number of messages, including deleted ones. */
  messageCount: number
  /** The total size of the files in its messages, in bytes. */
  fileBytes: number
  /** The last position that a message or a delivery received. */
  lastPosition: number
  /** The number of changes. */
  changes: number
  /** The end of the typing indicator. */
  typingUntil: Millis | null
  /** When it was started. */
  createdAt: Millis
  /** When a participant was last active. */
  lastActivityAt: Millis
  /** When it was last changed. */
  changedAt: Millis
}

/** A message of a conversation. */
export interface ConversationMessageRow {
  /** Primary key; the message id in the API. */
  id: Id
  /** The environment it belongs to. */
  environmentId: Id
  conversationId: Id
  /** Its position in the conversation, which it shares with deliveries. */
  position: number
  /** The role of the author. */
  role: 'user' | 'agent' | 'system'
  /** The author, in the format of the agent protocol. */
  author: JsonText | null
  /** Plain text. */
  text: string | null
  /** Text in Markdown. */
  markdown: string | null
  card: JsonText | null
  /** Its files, in the format of the agent protocol. */
  files: JsonText
  /** A list of `{ emoji, by }`. */
  reactions: JsonText
  /** The question it asks or answers. */
  questionId: string | null
  /** The error of a message from the service, `{ code, message }`. */
  error: JsonText | null
  /** The message id on the platform. */
  platformMessageId: string | null
  /** When it was sent. */
  createdAt: Millis
  /** When its content was last edited. */
  editedAt: Millis | null
  /** When it was deleted. */
  deletedAt: Millis | null
}

/** A question from an agent to a user. */
export interface ConversationQuestionRow {
  /** Primary key. */
  id: Id
  /** The environment it belongs to. */
  environmentId: Id
  conversationId: Id
  /** The question id, chosen by the agent; unique in the conversation. */
  questionId: string
  /** The action id of the answer. */
  actionId: string
  /** The message that contains it. */
  messageId: Id
  /** The expected kind of answer. */
  type: 'text' | 'choice' | 'approval'
  /** The text of the question. */
  text: string
  /** A value that is returned with the answer. */
  value: JsonText | null
  /** The options of a choice, a list of `{ value, label }`. */
  options: JsonText | null
  /** The labels of the approval buttons, an object. */
  labels: JsonText | null
  /** The ids of users who may answer, a list; null for all users. */
  by: JsonText | null
  /** The answer, in the format of the agent protocol. */
  answer: JsonText | null
  /** The time of the question. */
  createdAt: Millis
  /** When it was answered. */
  answeredAt: Millis | null
}

/** A request from the service to a bridge or a platform. Each conversation sends one at a time. */
export interface ConversationDeliveryRow {
  /** Primary key; the delivery id in the API. */
  id: Id
  /** The environment it belongs to. */
  environmentId: Id
  conversationId: Id
  /** The target: the bridge for events, the platform for actions of the agent. */
  target: 'bridge' | 'platform'
  /** Its position in the conversation, which it shares with messages. */
  position: number
  /** The event of the agent protocol, or the action on the platform. */
  event: string
  /** The message it is about. */
  messageId: Id | null
  /** The event-specific part of the body, an object. */
  body: JsonText
  status: 'pending' | 'acknowledged' | 'failed'
  /** The number of attempts. */
  attempts: number
  /** The number of hand-overs to the platform whose response was not stored. */
  handOvers: number
  /** The error code of the last attempt. */
  errorCode: string | null
  /** The error message of the last attempt. */
  errorMessage: string | null
  /** When it was created. */
  createdAt: Millis
  /** When it was acknowledged or failed permanently. */
  settledAt: Millis | null
}

/** An accepted reply from an agent, so that repeated requests have no effect. */
export interface ConversationReplyRow {
  /** Its conversation. Primary key with `key`. */
  conversationId: Id
  /** The idempotency key: turn id and sequence number. */
  key: string
  /** The environment it belongs to. */
  environmentId: Id
  /** SHA-256 of the body, to detect a different reply with the same key. */
  bodyHash: string
  /** The response, an object. */
  result: JsonText
  /** When it was received. */
  createdAt: Millis
}

/** An accepted event from a platform, so that repeated requests have no effect. */
export interface PlatformEventRow {
  /** Row id of the integration. Primary key with `key`. */
  integrationId: Id
  /** The event id of the platform. */
  key: string
  /** The environment it belongs to. */
  environmentId: Id
  /** When it was received. */
  createdAt: Millis
}
