import type {
  AgentAnswer,
  AgentContent,
  AgentEventName,
  AgentQuestion,
  AgentReply,
  JsonObject,
} from '@trestle/protocol'

/** A message of the agent, as it reads at the end of the conversation. */
export interface SaidMessage extends AgentContent {
  /** The id the kit gave it. */
  readonly messageId: string
  /** The position of the turn that sent it, from 0. */
  readonly turn: number
  /** How often it was edited. */
  readonly edits: number
  /** Whether the agent deleted it. */
  readonly deleted: boolean
}

/** A question of the agent. */
export interface AskedQuestion extends AgentQuestion {
  /** The position of the turn that asked, from 0. */
  readonly turn: number
  /** The answer; `undefined` while there is none. */
  readonly answer: AgentAnswer | undefined
}

/** One event of the conversation, and what the agent did. */
export interface TurnReport {
  /** The event that was sent. */
  readonly event: AgentEventName
  /** The replies, in the order in which they were sent. */
  readonly replies: readonly AgentReply[]
  /** When the event was sent, ISO 8601. */
  readonly at: string
}

/** A workflow that the agent started. */
export interface TriggeredWorkflow {
  readonly workflowId: string
  readonly to: unknown
  /** The trigger payload. */
  readonly payload: unknown
}

/** What happened in a conversation with an agent. */
export interface ConversationReport {
  readonly agentId: string
  /** The messages of the agent, oldest first, as they read at the end; deleted ones too. */
  readonly said: readonly SaidMessage[]
  /** The questions of the agent, oldest first. */
  readonly asked: readonly AskedQuestion[]
  /** Whether the agent ended the conversation, and with which words. */
  readonly resolved: { readonly summary?: string } | undefined
  /** The reactions of the agent, oldest first. */
  readonly reactions: readonly { readonly messageId: string; readonly emoji: string }[]
  /** What the agent keeps with the conversation. */
  readonly metadata: JsonObject
  /** The failures that the conversation was told of. */
  readonly failures: readonly { readonly code: string; readonly message: string }[]
  /** The workflows that the agent started. */
  readonly triggered: readonly TriggeredWorkflow[]
  /** Event by event. */
  readonly turns: readonly TurnReport[]
}
