import type { AgentHistoryEntry, AgentReply, AgentReplyResult, JsonObject } from '@trestle/protocol'
import type { AskedQuestion, ConversationReport, SaidMessage, TurnReport } from '../report/conversation-report.ts'
import { toCardText } from './card-parts.ts'

// The service's history limits, in messages and characters.
const maxHistory = 1000
const maxHistoryLength = 1_000_000

/** A message in the conversation, from either side or from the service itself. */
interface KeptMessage {
  readonly role: AgentHistoryEntry['role']
  readonly messageId: string
  readonly timestamp: string
  /** The text; if absent, it is the current text of the agent's message with this id. */
  readonly text?: string
  deleted?: boolean
}

type AgentEdit = Extract<AgentReply, { readonly edit: unknown }>['edit']
type Writable<TValue> = { -readonly [K in keyof TValue]: TValue[K] }

/** The state of a running conversation, as in the service. */
export interface ConversationState {
  readonly said: Writable<SaidMessage>[]
  readonly asked: Writable<AskedQuestion>[]
  resolved: ConversationReport['resolved']
  readonly reactions: Writable<ConversationReport['reactions'][number]>[]
  metadata: JsonObject
  readonly failures: Writable<ConversationReport['failures'][number]>[]
  readonly triggered: ConversationReport['triggered'][number][]
  readonly turns: (Omit<TurnReport, 'replies'> & { readonly replies: AgentReply[] })[]
  status: 'open' | 'resolved'
  /** Whether the agent has ended the conversation but has not received the end event yet. */
  owesEnd: boolean
  /** The reactions of the user, each with its emoji and the message. */
  readonly personReactions: Set<string>
  /** The messages of both sides and of the service, oldest first. */
  readonly messages: KeptMessage[]
}

/** Creates an empty conversation. */
export function createConversationState(): ConversationState {
  return {
    ...{ said: [], asked: [], resolved: undefined, reactions: [], metadata: {} },
    ...{ failures: [], triggered: [], turns: [], messages: [], status: 'open', owesEnd: false },
    personReactions: new Set(),
  }
}

/**
 * Returns the history for the next event.
 *
 * @param messageId - The message of the event, which is excluded from the history. @default none
 */
export function toHistory({ messages, said }: ConversationState, messageId?: string): readonly AgentHistoryEntry[] {
  const entries = messages.flatMap(({ text, deleted, ...message }) => {
    if (deleted || message.messageId === messageId) return []
    if (text !== undefined) return [{ ...message, text }]
    const saidMessage = said.find((one) => one.messageId === message.messageId)
    return saidMessage && !saidMessage.deleted ? [{ ...message, text: toMessageText(saidMessage) }] : []
  })
  let length = 0
  const begin = entries.findLastIndex(({ text }) => {
    length += text.length
    return length > maxHistoryLength
  })
  return entries.slice(begin + 1).slice(-maxHistory)
}

function toMessageText({ text, markdown, card, files = [] }: Partial<SaidMessage>): string {
  return text || markdown || toCardText(card) || files.map(({ name }) => name).join(', ')
}

/** Applies a reply as the service does. */
export function takeReply(state: ConversationState, reply: AgentReply, timestamp: string): AgentReplyResult {
  const turn = state.turns.length - 1
  state.turns.at(-1)?.replies.push(reply)
  if ('reply' in reply) {
    const messageId = `reply-${state.said.length + 1}`
    state.said.push({ ...reply.reply, messageId, turn, edits: 0, deleted: false })
    state.messages.push({ role: 'agent', messageId, timestamp })
    return { messageId }
  }
  if ('question' in reply) {
    const questionIndex = state.asked.findIndex(({ questionId }) => questionId === reply.question.questionId)
    if (questionIndex >= 0) return { messageId: toQuestionMessageId(questionIndex) }
    const messageId = toQuestionMessageId(state.asked.push({ ...reply.question, turn, answer: undefined }) - 1)
    state.messages.push({ role: 'agent', messageId, timestamp, text: reply.question.text })
    return { messageId }
  }
  if ('error' in reply) {
    const messageId = `failure-${state.failures.push(reply.error)}`
    state.messages.push({ role: 'system', messageId, timestamp, text: reply.error.message })
  } else change(state, reply)
  return {}
}

/**
 * Returns the message id of a question.
 *
 * @param position - The position of the question, from 0.
 */
export function toQuestionMessageId(position: number): string {
  return `question-${position + 1}`
}

function change(state: ConversationState, reply: AgentReply): void {
  if ('edit' in reply) edit(state, reply.edit)
  else if ('deleteMessages' in reply) {
    for (const message of [...state.said, ...state.messages])
      if (reply.deleteMessages.includes(message.messageId)) message.deleted = true
  } else if ('addReactions' in reply) react(state, reply.addReactions)
  else if ('resolve' in reply) {
    state.owesEnd ||= state.status === 'open'
    state.status = 'resolved'
    // Without a summary the existing one is kept.
    state.resolved = { ...state.resolved, ...reply.resolve }
  } else if ('metadata' in reply) state.metadata = mergeMetadata(state, reply.metadata)
}

/** Merges fields into a conversation's metadata; `null` removes a field. */
export function mergeMetadata({ metadata }: ConversationState, fields: JsonObject): JsonObject {
  const all = new Map([...Object.entries(metadata), ...Object.entries(fields)])
  return Object.fromEntries([...all].filter(([, value]) => value !== null))
}

function edit({ said }: ConversationState, { messageId, ...content }: AgentEdit): void {
  const index = said.findIndex((message) => message.messageId === messageId)
  const message = said[index]
  if (!message) return
  const { turn, edits, deleted } = message
  said[index] = { ...content, messageId, turn, edits: edits + 1, deleted }
}

/** A message can have each emoji only once. */
function react({ reactions }: ConversationState, added: ConversationReport['reactions']): void {
  for (const { messageId, emoji } of added)
    if (!reactions.some((one) => one.messageId === messageId && one.emoji === emoji))
      reactions.push({ messageId, emoji })
}
