/** The bounds of conversations. */
export interface ConversationLimits {
  /** Conversations of an environment. */
  readonly conversations: number
  /** Messages of a conversation, those of the service among them. */
  readonly messages: number
  /** Events of a conversation that wait for the agent, and acts of the agent that wait for the platform. */
  readonly waiting: number
  /** Bytes of all files in the messages of a conversation. */
  readonly fileBytes: number
  /** Characters of a text or of Markdown. */
  readonly textLength: number
  /** Characters of a card as JSON. */
  readonly cardLength: number
  /** Files of a message. */
  readonly files: number
  /** Bytes of the files of a message. */
  readonly messageFileBytes: number
  /** Reactions of a message. */
  readonly reactions: number
  /** Characters of the metadata of a conversation, or of a value that travels with an action, as JSON. */
  readonly valueLength: number
  /** Messages that an event tells of. */
  readonly history: number
  /** Characters of all texts that an event tells of; the oldest are left out. */
  readonly historyLength: number
  /** How long the agent is shown at work where it says nothing else, milliseconds. */
  readonly typingMs: number
}

/** The bounds of every conversation. */
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
