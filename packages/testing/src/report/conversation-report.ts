import type {
  AgentAnswer,
  AgentContent,
  AgentEventName,
  AgentQuestion,
  AgentReply,
  JsonObject,
} from '@trestle/protocol'

/** A message of the agent, in its final version. */
export interface SaidMessage extends AgentContent {
  /** The id assigned by the kit. */
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
  /** The answer; `undefined` if there is none. */
  readonly answer: AgentAnswer | undefined
}

/** One event of the conversation, and the agent's actions. */
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

/** The report of a conversation with an agent. */
export interface ConversationReport {
  readonly agentId: string
  /** The messages of the agent, oldest first, in their final version; includes deleted ones. */
  readonly said: readonly SaidMessage[]
  /** The questions of the agent, oldest first. */
  readonly asked: readonly AskedQuestion[]
  /** Whether the agent ended the conversation, with its summary. */
  readonly resolved: { readonly summary?: string } | undefined
  /** The reactions of the agent, oldest first. */
  readonly reactions: readonly { readonly messageId: string; readonly emoji: string }[]
  /** The data that the agent stored with the conversation. */
  readonly metadata: JsonObject
  /** The failures reported to the conversation. */
  readonly failures: readonly { readonly code: string; readonly message: string }[]
  /** The workflows that the agent started. */
  readonly triggered: readonly TriggeredWorkflow[]
  /** Event by event. */
  readonly turns: readonly TurnReport[]
}
