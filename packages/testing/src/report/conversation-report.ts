import type {
  AgentAnswer,
  AgentContent,
  AgentEventName,
  AgentQuestion,
  AgentReply,
  JsonObject,
} from '@trestle/protocol'

/** A message from the agent, in its final version. */
export interface SaidMessage extends AgentContent {
  /** The id that the kit assigned. */
  readonly messageId: string
  /** The position of the turn that sent it, from 0. */
  readonly turn: number
  /** How many times it was edited. */
  readonly edits: number
  /** Whether the agent deleted it. */
  readonly deleted: boolean
}

/** A question from the agent. */
export interface AskedQuestion extends AgentQuestion {
  /** The position of the turn that asked, from 0. */
  readonly turn: number
  /** The user's answer; `undefined` if there is none. */
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
  readonly payload: unknown
}

/** The report of a conversation with an agent. */
export interface ConversationReport {
  readonly agentId: string
  /** The agent's messages in their final version, oldest first, including deleted ones. */
  readonly said: readonly SaidMessage[]
  /** The agent's questions, oldest first. */
  readonly asked: readonly AskedQuestion[]
  /** Set with its summary if the agent ended the conversation. */
  readonly resolved: { readonly summary?: string } | undefined
  /** The agent's reactions, oldest first. */
  readonly reactions: readonly { readonly messageId: string; readonly emoji: string }[]
  /** The data that the agent stored with the conversation. */
  readonly metadata: JsonObject
  /** The failures reported to the conversation. */
  readonly failures: readonly { readonly code: string; readonly message: string }[]
  /** The workflows that the agent started. */
  readonly triggered: readonly TriggeredWorkflow[]
  /** The turns, one per event. */
  readonly turns: readonly TurnReport[]
}
