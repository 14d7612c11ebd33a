/** An agent of the bridge. */
export interface AgentLine {
  /** The agent's identifier. */
  readonly agentId: string
  /** How many conversations it has. */
  readonly conversations: number
}

/** A conversation with an agent, as a list has it. */
export interface ConversationLine {
  /** Row id. */
  readonly _id: string
  /** The agent's identifier. */
  readonly agentId: string
  /** Whether it goes on. */
  readonly status: 'open' | 'resolved'
  /** Where it takes place: `web` for the pages of the studio. */
  readonly platform: string
  /** The identifier of the subscriber who speaks, where it is one. */
  readonly subscriberId?: string
  /** The first words of its first message; empty before there is one. */
  readonly title?: string
  /** How many messages it has. */
  readonly messageCount: number
  /** When it began. */
  readonly createdAt: string
  /** When something last happened in it. */
  readonly lastActivityAt: string
  /** How the agent summed it up when it ended it. */
  readonly summary?: string
}

/** A file of a message. */
export interface MessageFile {
  /** Its name. */
  readonly name: string
  /** Its media type. */
  readonly mimeType?: string
  /** Its size in bytes, where the service holds its content. */
  readonly size?: number
  /** Its address, where the service does not. */
  readonly url?: string
}

/** A file with its content. */
export interface FileContent {
  /** Its name. */
  readonly name: string
  /** Its media type. */
  readonly mimeType?: string
  /** The content as Base64. */
  readonly data?: string
}

/** A message of a conversation. */
export interface ConversationMessage {
  /** Row id. */
  readonly _id: string
  /** Who speaks: a person, the agent, or the service about what went wrong. */
  readonly role: 'user' | 'agent' | 'system'
  /** Plain text. */
  readonly text?: string
  /** Markdown. */
  readonly markdown?: string
  /** A card as chat steps send it. */
  readonly card?: Readonly<Record<string, unknown>>
  /** Files. */
  readonly files?: readonly MessageFile[]
  /** Reactions, oldest first. */
  readonly reactions: readonly { readonly emoji: string; readonly by: 'user' | 'agent' }[]
  /** The failure it tells of. */
  readonly error?: { readonly code: string; readonly message: string }
  /** When it was written. */
  readonly createdAt: string
  /** When it was last edited. */
  readonly editedAt?: string
  /** When it was deleted; it has no content then. */
  readonly deletedAt?: string
  /** The question it asks, or answers. */
  readonly questionId?: string
}

/** What a person answered. */
export interface QuestionAnswer {
  /** The text that was written. */
  readonly text?: string
  /** The value that was chosen. */
  readonly choice?: string
  /** Whether it was approved. */
  readonly approved?: boolean
  /** A remark beside it. */
  readonly note?: string
}

/** A question of the agent. */
export interface ConversationQuestion {
  /** The agent's id of this asking. */
  readonly questionId: string
  /** The id of what is asked, such as `refund`. */
  readonly id: string
  /** What answers it. */
  readonly type: 'text' | 'choice' | 'approval'
  /** What is asked. */
  readonly text: string
  /** What can be chosen. */
  readonly options?: readonly { readonly value: string; readonly label: string }[]
  /** Texts of the two buttons. */
  readonly labels?: { readonly approve?: string; readonly reject?: string }
  /** The only people who may answer it. */
  readonly by?: readonly string[]
  /** Whether it waits. */
  readonly status: 'open' | 'answered'
  /** The answer. */
  readonly answer?: QuestionAnswer
  /** The message that asks. */
  readonly messageId: string
}

/** An event on its way to the bridge. */
export interface EventDelivery {
  /** Its id, the same in each attempt. */
  readonly deliveryId: string
  /** The name of the event. */
  readonly event: string
  /** The message it is about. */
  readonly messageId?: string
  /** How it stands. */
  readonly status: 'pending' | 'acknowledged' | 'failed'
  /** How often it was sent. */
  readonly attempts: number
  /** Why the last attempt failed. */
  readonly lastError?: { readonly code: string; readonly message: string }
  /** When it was queued. */
  readonly createdAt: string
  /** When the bridge took it. */
  readonly acknowledgedAt?: string
}

/** A conversation with all there is of it. */
export interface Conversation extends ConversationLine {
  /** What the agent keeps with it. */
  readonly metadata: Readonly<Record<string, unknown>>
  /** Whether the agent says that it is at work. */
  readonly isTyping: boolean
  /** Until when that holds. */
  readonly typingUntil?: string
  /** Its messages, oldest first. */
  readonly messages: readonly ConversationMessage[]
  /** The agent's questions, oldest first. */
  readonly questions: readonly ConversationQuestion[]
  /** The events that went to the bridge, oldest first. */
  readonly deliveries: readonly EventDelivery[]
}
