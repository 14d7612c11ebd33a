/** The limits of conversations. */
export interface ConversationLimits {
  /** Conversations per environment. */
  readonly conversations: number
  /** Messages per conversation, including those from the service. */
  readonly messages: number
  /** Pending events for the agent, and pending actions for the platform, per conversation. */
  readonly waiting: number
  /** The total size of files per conversation, in bytes. */
  readonly fileBytes: number
  /** Characters in a text or Markdown. */
  readonly textLength: number
  /** Characters in a card as JSON. */
  readonly cardLength: number
  /** Files per message. */
  readonly files: number
  /** The total size of files per message, in bytes. */
  readonly messageFileBytes: number
  /** Reactions per message. */
  readonly reactions: number
  /** Characters in a conversation's metadata, or in an action's value, as JSON. */
  readonly valueLength: number
  /** Messages in the history of an event. */
  readonly history: number
  /** Characters in all texts in the history of an event; the oldest are omitted. */
  readonly historyLength: number
  /** How long the agent is shown as typing after its last sign of activity, in milliseconds. */
  readonly typingMs: number
}

/** The limits of every conversation. */
export const conversationLimits: ConversationLimits = Object.freeze({
  conversations: 100_000,
  messages: 10_000,
  waiting: 1_000,
  fileBytes: 50 * 1024 * 1024,
  textLength: 100_000,
  cardLength: 100_000,
  files: 10,
  messageFileBytes: 5 * 1024 * 1024,
  reactions: 100,
  valueLength: 64 * 1024,
  history: 1_000,
  historyLength: 1_000_000,
  typingMs: 60_000,
})
