import type { JsonObject } from './json/json-object.ts'

/** A file in a reply: its content or a download URL. */
export type AgentFile =
  | {
      /** Its file name. */
      readonly name: string
      /** Its media type. */
      readonly mimeType?: string
      /** Its content, in Base64. */
      readonly data: string
    }
  | {
      /** Its file name. */
      readonly name: string
      /** Its media type. */
      readonly mimeType?: string
      /** The download URL. */
      readonly url: string
    }

/** The content of a message: at least one of these fields. */
export interface AgentContent {
  readonly text?: string
  /** Text in Markdown. */
  readonly markdown?: string
  /** A card, in the same format as in a chat step. */
  readonly card?: JsonObject
  readonly files?: readonly AgentFile[]
}

/** A question; its answer arrives as an `onAction` event with the same `id` and `value`. */
export interface AgentQuestion {
  /** The id of the question, stable across retried turns, so that the service asks it only once. */
  readonly questionId: string
  /** The id of the action that the answer triggers. */
  readonly id: string
  /** The kind of answer expected. */
  readonly type: 'text' | 'choice' | 'approval'
  readonly text: string
  /** A value that is returned with the answer; any JSON value. */
  readonly value?: unknown
  /** The options to choose from. */
  readonly options?: readonly { readonly value: string; readonly label: string }[]
  /** The button labels of an approval. */
  readonly labels?: { readonly approve?: string; readonly reject?: string }
  /** The only people whose approval counts, by the platform's ids. */
  readonly by?: readonly string[]
}

/** The action of a reply: exactly one of these. */
export type AgentReplyAction =
  /** Sends a message. */
  | { readonly reply: AgentContent }
  /** Asks a question. */
  | { readonly question: AgentQuestion }
  /** Replaces the content of one of the agent's messages. */
  | { readonly edit: AgentContent & { readonly messageId: string } }
  /** Deletes messages that the agent sent. */
  | { readonly deleteMessages: readonly string[] }
  /** Reacts to messages. */
  | { readonly addReactions: readonly { readonly messageId: string; readonly emoji: string }[] }
  /** Shows or hides the indicator that the agent is working. */
  | { readonly typing: boolean }
  /** Ends the conversation. */
  | { readonly resolve: { readonly summary?: string } }
  /** Sets fields of the conversation's metadata; `null` removes one. */
  | { readonly metadata: JsonObject }
  /** Reports that the turn failed. */
  | { readonly error: { readonly code: 'TurnFailed' | 'TurnTimedOut'; readonly message: string } }

/** The body of a reply, as a bridge sends it to the event's `replyUrl`. */
export type AgentReply = {
  /** The version of this body. */
  readonly version: 1
  /** The agent that replies. */
  readonly agentId: string
  /** The conversation of the event. */
  readonly conversationId: string
  /** The integration of the event. */
  readonly integrationIdentifier: string
  /** The delivery to which this reply belongs. */
  readonly deliveryId: string
  /** Identifies one execution of the agent's code; each attempt at a delivery has its own id. */
  readonly turnId: string
  /** The position of this reply in its turn, from 0. */
  readonly sequence: number
} & AgentReplyAction

/** The service's response to a reply. */
export interface AgentReplyResult {
  /** The id of the message, if one was sent. */
  readonly messageId?: string
  /** The platform's thread id. */
  readonly platformThreadId?: string
}
