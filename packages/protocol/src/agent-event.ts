import type { Subscriber } from './event.ts'
import type { JsonObject } from './json/json-object.ts'

const names = ['onMessage', 'onAction', 'onReaction', 'onResolve'] as const

/**
 * The conversation events that an agent receives, as in the query parameter `event`.
 *
 * @source protocol.md#events
 */
export const agentEventNames: Readonly<typeof names> = Object.freeze(names)

/** One of {@link agentEventNames}. */
export type AgentEventName = (typeof agentEventNames)[number]

/** The author of a message, click or reaction, as identified by the platform. */
export interface AgentAuthor {
  /** The platform's id for the user or bot. */
  readonly userId: string
  /** The display name. */
  readonly fullName?: string
  /** The platform's user name, for mentions. */
  readonly userName?: string
  /** Whether the author is a bot. */
  readonly isBot?: boolean
}

/** A file attached to a message. */
export interface AgentAttachment {
  /** The download URL. */
  readonly url?: string
  /** Its file name. */
  readonly name?: string
  /** Its media type, for example `image/png`. */
  readonly mimeType?: string
  /** Its size in bytes. */
  readonly size?: number
}

/** A message in the conversation. */
export interface AgentMessage {
  /** Plain text; empty if only files were sent. */
  readonly text: string
  /** The platform's id for the message, for reactions. */
  readonly platformMessageId?: string
  /** The author of the message. */
  readonly author?: AgentAuthor
  /** When it was sent, ISO 8601. */
  readonly timestamp?: string
  /** Attached files; can be empty. */
  readonly attachments: readonly AgentAttachment[]
}

/** A user's answer to a question from the agent. */
export type AgentAnswer =
  | {
      /** The id with which the question was sent. */
      readonly questionId: string
      readonly type: 'text'
      /** The text of the answer. */
      readonly text: string
    }
  | {
      /** The id the question was sent with. */
      readonly questionId: string
      readonly type: 'choice'
      /** The value of the selected option. */
      readonly choice: string
    }
  | {
      /** The id the question was sent with. */
      readonly questionId: string
      readonly type: 'approval'
      /** Whether the user approved. */
      readonly approved: boolean
      /** A comment from the user. */
      readonly note?: string
    }

/** A click on a card button, a selection in a card list, or an answer to a question. */
export interface AgentAction {
  /** The id of the button, list or question. */
  readonly id: string
  /** The value it was sent with; any JSON value. */
  readonly value?: unknown
  /** The message that contains it. */
  readonly sourceMessageId?: string
  readonly author?: AgentAuthor
  /** The answer, if this action answers a question. */
  readonly answer?: AgentAnswer
}

/** A reaction to a message. */
export interface AgentReaction {
  /** The name of the emoji, or the emoji itself. */
  readonly emoji: string
  /** False if the reaction was removed. */
  readonly added: boolean
  /** The message it belongs to. */
  readonly messageId: string
  readonly author?: AgentAuthor
}

/** The conversation an event belongs to. */
export interface AgentConversation {
  /** The human-readable id. */
  readonly identifier?: string
  /** `open`, `resolved`, or another status of the service. */
  readonly status?: string
  /** Data that agents and the service store with the conversation. */
  readonly metadata: JsonObject
  /** The number of messages. */
  readonly messageCount?: number
  /** When it started, ISO 8601. */
  readonly createdAt?: string
  /** Time of the last activity, ISO 8601. */
  readonly lastActivityAt?: string
}

/** An earlier message of the conversation. */
export interface AgentHistoryEntry {
  /** The author: the user, the agent, or the service itself. */
  readonly role: 'user' | 'agent' | 'system'
  readonly text: string
  /** The id of the message, to edit, delete or react to it. */
  readonly messageId?: string
  /** When it was sent, ISO 8601. */
  readonly timestamp?: string
}

/** The notification that a user replies to. */
export interface AgentNotification {
  /** The id of the run. */
  readonly id?: string
  /** The workflow that sent it. */
  readonly workflowId?: string
  /** The id of the message that the run sent. */
  readonly messageId?: string
  /** The platform's id for the message. */
  readonly platformMessageId?: string
  /** When it was sent, ISO 8601. */
  readonly sentAt?: string
  /** The text of the message. */
  readonly body?: string
  /** The payload of the trigger. */
  readonly payload: JsonObject
}

/** The body of an `agent-event` call, with all parts present. */
export interface AgentEvent {
  /** The id of this delivery, which stays the same when the service resends the event. */
  readonly deliveryId: string
  /** Where to send replies. The bridge only uses the URL if it belongs to the API in its own settings. */
  readonly replyUrl: string
  /** The conversation id. Events of one conversation are handled in order of arrival. */
  readonly conversationId: string
  /** The integration through which the agent replies. */
  readonly integrationIdentifier: string
  /** When the event occurred, ISO 8601. */
  readonly timestamp?: string
  /** The message; always set in `onMessage`. */
  readonly message: AgentMessage | null
  /** The action; always set in `onAction`. */
  readonly action: AgentAction | null
  /** The reaction; always set in `onReaction`. */
  readonly reaction: AgentReaction | null
  readonly conversation: AgentConversation
  /** Earlier messages, oldest first. */
  readonly history: readonly AgentHistoryEntry[]
  /** The subscriber, if the user is one. */
  readonly subscriber: Subscriber | null
  /** The notification that started the conversation. */
  readonly notification: AgentNotification | null
  /** The chat platform: `slack`, `teams`, `web`. */
  readonly platform: string
  /** Location details of the platform, such as thread and channel. */
  readonly platformContext: JsonObject
  /** Contexts by type, each as `{ id, data }`. */
  readonly context: JsonObject
}
