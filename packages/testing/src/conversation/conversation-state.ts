import type { AgentReply, AgentReplyResult, JsonObject } from '@trestle/protocol'
import type { AskedQuestion, ConversationReport, SaidMessage, TurnReport } from '../report/conversation-report.ts'

type Writable<TValue> = { -readonly [K in keyof TValue]: TValue[K] }

/** A conversation while it goes on, as the service keeps it. */
export interface ConversationState {
  readonly said: Writable<SaidMessage>[]
  readonly asked: Writable<AskedQuestion>[]
  resolved: ConversationReport['resolved']
  readonly reactions: Writable<ConversationReport['reactions'][number]>[]
  metadata: JsonObject
  readonly failures: Writable<ConversationReport['failures'][number]>[]
  readonly triggered: ConversationReport['triggered'][number][]
  readonly turns: (Omit<TurnReport, 'replies'> & { readonly replies: AgentReply[] })[]
  /** What was said by both sides, for the history of the next event. */
  readonly history: { readonly role: 'user' | 'agent'; readonly text: string; readonly messageId: string }[]
}

/** Creates an empty conversation. */
export function createConversationState(): ConversationState {
  return {
    ...{ said: [], asked: [], resolved: undefined, reactions: [], metadata: {} },
    ...{ failures: [], triggered: [], turns: [], history: [] },
  }
}

/**
 * Takes a reply as the service does.
 *
 * @param state - The conversation; it is changed.
 * @param reply - The reply.
 * @returns The answer of the service.
 */
export function takeReply(state: ConversationState, reply: AgentReply): AgentReplyResult {
  const turn = state.turns.length - 1
  state.turns.at(-1)?.replies.push(reply)
  if ('reply' in reply) {
    const messageId = `reply-${state.said.length + 1}`
    state.said.push({ ...reply.reply, messageId, turn, edits: 0, deleted: false })
    return { messageId }
  }
  if ('question' in reply) {
    const known = state.asked.find(({ questionId }) => questionId === reply.question.questionId)
    if (!known) state.asked.push({ ...reply.question, turn, answer: undefined })
    return { messageId: `question-${state.asked.length}` }
  }
  if ('edit' in reply) edit(state, reply.edit)
  else if ('deleteMessages' in reply) {
    for (const message of state.said) if (reply.deleteMessages.includes(message.messageId)) message.deleted = true
  } else if ('addReactions' in reply) state.reactions.push(...reply.addReactions)
  else if ('resolve' in reply) state.resolved = reply.resolve
  else if ('metadata' in reply) {
    const fields = Object.entries({ ...state.metadata, ...reply.metadata })
    state.metadata = Object.fromEntries(fields.filter(([, value]) => value !== null))
  } else if ('error' in reply) state.failures.push(reply.error)
  return {}
}

function edit(state: ConversationState, { messageId, ...content }: { readonly messageId: string }): void {
  const index = state.said.findIndex((message) => message.messageId === messageId)
  const message = state.said[index]
  if (!message) return
  const { turn, edits, deleted } = message
  state.said[index] = { ...content, messageId, turn, edits: edits + 1, deleted }
}
