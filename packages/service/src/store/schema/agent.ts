import type { Id, JsonText, Millis } from './column.ts'

/** An agent that the bridge of an environment lists. */
export interface AgentRow {
  /** Primary key. */
  id: Id
  /** The environment it belongs to. */
  environmentId: Id
  /** The agent's id in the bridge; unique in the environment. */
  identifier: string
  /** Its place in the bridge's list, from 0. */
  position: number
  /** When it was first listed. */
  createdAt: Millis
  /** When it was last listed. */
  updatedAt: Millis
}

/** A conversation of people with an agent. */
export interface ConversationRow {
  /** Primary key; the conversation's id on the wire. */
  id: Id
  /** The environment it belongs to. */
  environmentId: Id
  /** The agent's id in the bridge. */
  agentId: string
  /** Whether it goes on. */
  status: 'open' | 'resolved'
  /** Where it takes place. */
  platform: 'web' | 'slack' | 'email'
  /** The integration that speaks for the agent; `web` where none does. */
  integrationIdentifier: string
  /** The caller's own identifier of the subscriber. */
  subscriberId: string | null
  /** The thread of the platform; unique with integration and agent. */
  threadKey: string | null
  /** The place on the platform, such as channel and thread, an object. */
  platformContext: JsonText
  /** The first words of the first message. */
  title: string
  /** How it ended, in the agent's words. */
  summary: string | null
  /** The data that the agent keeps with it, an object. */
  metadata: JsonText
  /** How many messages it has, deleted ones included. */
  messageCount: number
  /** How many bytes the files in its messages hold. */
  fileBytes: number
  /** The last place that was given to a message or a delivery. */
  lastPosition: number
  /** Counts its changes. */
  changes: number
  /** Until when the agent is shown at work. */
  typingUntil: Millis | null
  /** When it began. */
  createdAt: Millis
  /** When somebody last said or did something. */
  lastActivityAt: Millis
  /** When anything of it last changed. */
  changedAt: Millis
}

/** A message of a conversation. */
export interface ConversationMessageRow {
  /** Primary key; the message's id on the wire. */
  id: Id
  /** The environment it belongs to. */
  environmentId: Id
  /** Its conversation. */
  conversationId: Id
  /** Its place in the conversation; deliveries take places, too. */
  position: number
  /** Who says it. */
  role: 'user' | 'agent' | 'system'
  /** Who wrote it, an object of the agent protocol. */
  author: JsonText | null
  /** Plain text. */
  text: string | null
  /** Text in Markdown. */
  markdown: string | null
  /** A card. */
  card: JsonText | null
  /** Its files, a list of the agent protocol. */
  files: JsonText
  /** A list of `{ emoji, by }`. */
  reactions: JsonText
  /** The question it asks or answers. */
  questionId: string | null
  /** What failed, `{ code, message }`, in messages of the service itself. */
  error: JsonText | null
  /** The platform's own id of the message. */
  platformMessageId: string | null
  /** When it was sent. */
  createdAt: Millis
  /** When its content was last replaced. */
  editedAt: Millis | null
  /** When it was deleted. */
  deletedAt: Millis | null
}

/** A question of an agent to a person. */
export interface ConversationQuestionRow {
  /** Primary key. */
  id: Id
  /** The environment it belongs to. */
  environmentId: Id
  /** Its conversation. */
  conversationId: Id
  /** The agent's id of the question; unique in the conversation. */
  questionId: string
  /** The id its answer comes with. */
  actionId: string
  /** The message that asks it. */
  messageId: Id
  /** The kind of answer that is wanted. */
  type: 'text' | 'choice' | 'approval'
  /** What is asked. */
  text: string
  /** The value that comes back with the answer. */
  value: JsonText | null
  /** The options of a choice, a list of `{ value, label }`. */
  options: JsonText | null
  /** What the buttons of an approval say, an object. */
  labels: JsonText | null
  /** The only people who may answer, a list of their ids; null for everyone. */
  by: JsonText | null
  /** The answer, in the form of the agent protocol. */
  answer: JsonText | null
  /** When it was asked. */
  createdAt: Millis
  /** When it was answered. */
  answeredAt: Millis | null
}

/** Something that leaves the service for a bridge or a platform, one after the other in each conversation. */
export interface ConversationDeliveryRow {
  /** Primary key; the delivery's id on the wire. */
  id: Id
  /** The environment it belongs to. */
  environmentId: Id
  /** Its conversation. */
  conversationId: Id
  /** Where it goes: events to the bridge, what the agent does to the platform. */
  target: 'bridge' | 'platform'
  /** Its place in the conversation; messages take places, too. */
  position: number
  /** The event of the agent protocol, or what is done on the platform. */
  event: string
  /** The message it is about. */
  messageId: Id | null
  /** The part of the event that is its own, an object. */
  body: JsonText
  /** How far it is. */
  status: 'pending' | 'acknowledged' | 'failed'
  /** How often it was tried. */
  attempts: number
  /** Why the last attempt failed. */
  errorCode: string | null
  /** The same for people. */
  errorMessage: string | null
  /** When it happened. */
  createdAt: Millis
  /** When it was acknowledged or given up. */
  settledAt: Millis | null
}

/** A reply of an agent that was taken, so that it is taken once. */
export interface ConversationReplyRow {
  /** Its conversation. Primary key with `key`. */
  conversationId: Id
  /** The idempotency key: turn and place in the turn. */
  key: string
  /** The environment it belongs to. */
  environmentId: Id
  /** Tells another reply under the same key. */
  bodyHash: string
  /** What was answered, an object. */
  result: JsonText
  /** When it came. */
  createdAt: Millis
}

/** An event of a platform that was taken, so that it is taken once. */
export interface PlatformEventRow {
  /** Row id of the integration. Primary key with `key`. */
  integrationId: Id
  /** The platform's id of the event. */
  key: string
  /** The environment it belongs to. */
  environmentId: Id
  /** When it came. */
  createdAt: Millis
}
