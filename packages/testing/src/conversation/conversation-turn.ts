import type {
  AgentAction,
  AgentAnswer,
  AgentAuthor,
  AgentEventName,
  AgentMessage,
  AgentReaction,
} from '@trestle/protocol'
import { printValue } from '../report/print-value.ts'
import { holdsAction } from './card-parts.ts'
import { type ConversationState, toQuestionMessageId } from './conversation-state.ts'

/** The common fields of all turns. */
interface Timed {
  /** The delay after the previous turn, in milliseconds; the time is skipped. @default 0 */
  readonly afterMs?: number | undefined
}

/** The user's action: a string is a message. */
export type ConversationTurn =
  | string
  | (Timed & {
      /** Sends a message. */
      readonly message: string
    })
  | (Timed & {
      /** Clicks a button or selects an option of a list in a card. */
      readonly action: string
      /** The value of the button. */
      readonly value?: unknown
    })
  | (Timed & {
      /** Answers the last open question: an approval with a boolean, others with a string. */
      readonly answer: string | boolean
      /** The id of the question, if it is not the last one. */
      readonly to?: string | undefined
      /** A comment on an approval. */
      readonly note?: string | undefined
    })
  | (Timed & {
      /** Reacts to the agent's last message. */
      readonly reaction: string
    })
  | (Timed & {
      /** Ends the conversation. */
      readonly resolve: true
    })

/** The part of an event that depends on the turn. */
export interface TurnEvent {
  /** The name of the event. */
  readonly event: AgentEventName
  /** The turn's part of the body. */
  readonly part: {
    readonly message?: Partial<AgentMessage>
    readonly action?: AgentAction
    readonly reaction?: Partial<AgentReaction>
  }
  /** The user's message as shown in the conversation. */
  readonly message?: { readonly messageId: string; readonly text: string }
  /** The delay after the previous turn, in milliseconds. */
  readonly afterMs: number
}

/** The state that a turn starts from. */
export interface TurnPlace {
  readonly state: ConversationState
  /** The position of the turn, for messages. */
  readonly position: number
  readonly author: AgentAuthor
}

const fieldsOf: Readonly<Record<string, readonly string[]>> = {
  message: [],
  action: ['value'],
  answer: ['to', 'note'],
  reaction: [],
  resolve: [],
}

/**
 * Returns the event of a turn. An answer closes its question.
 *
 * @throws TypeError - The turn is invalid, or it answers a question that is not open.
 */
export function toTurnEvent(turn: ConversationTurn, place: TurnPlace): TurnEvent {
  const { position } = place
  const given: unknown = typeof turn === 'string' ? { message: turn } : turn
  const fields = (typeof given === 'object' && given !== null ? given : {}) as Readonly<Record<string, unknown>>
  const [kind, ...others] = Object.keys(fieldsOf).filter((name) => fields[name] !== undefined)
  const allowedFields = kind === undefined ? [] : [kind, 'afterMs', ...(fieldsOf[kind] ?? [])]
  const { afterMs = 0 } = fields
  if (kind === undefined || others.length > 0 || Object.keys(fields).some((name) => !allowedFields.includes(name)))
    throw wrong(position, `must be a string, or have exactly one of ${Object.keys(fieldsOf).join(', ')}`, given)
  if (typeof afterMs !== 'number' || !(afterMs >= 0 && afterMs < Number.POSITIVE_INFINITY))
    throw wrong(position, 'must have an afterMs of 0 or more milliseconds', given)
  if (kind !== 'resolve' && kind !== 'answer' && typeof fields[kind] !== 'string')
    throw wrong(position, `must have a string as ${kind}`, given)
  if ((kind === 'action' || kind === 'reaction') && fields[kind] === '')
    throw wrong(position, `must have a non-empty string as ${kind}`, given)
  return { ...toEvent(kind, fields, place), afterMs }
}

type Fields = Readonly<Record<string, unknown>>

function toEvent(kind: string, fields: Fields, place: TurnPlace): Omit<TurnEvent, 'afterMs'> {
  const { state, position, author } = place
  if (kind === 'resolve') return { event: 'onResolve', part: {} }
  if (kind === 'message') {
    const [text, messageId] = [String(fields['message']), `message-${position + 1}`]
    const message = { text, platformMessageId: messageId, author }
    return { event: 'onMessage', part: { message }, message: { messageId, text } }
  }
  if (kind === 'answer') return toAnswer(fields, place)
  const visibleMessages = state.said.filter(({ deleted }) => !deleted)
  if (kind === 'reaction') {
    const messageId = visibleMessages.at(-1)?.messageId
    if (messageId === undefined) throw wrong(position, 'reacts, but the agent has sent no message yet', fields)
    return {
      event: 'onReaction',
      part: { reaction: { emoji: String(fields['reaction']), added: true, messageId, author } },
    }
  }
  const { value } = fields
  const id = String(fields['action'])
  const source = visibleMessages.findLast(({ card }) => holdsAction(card, id))
  const action = {
    ...{ id, author },
    ...(value !== undefined && { value }),
    ...(source && { sourceMessageId: source.messageId }),
  }
  return { event: 'onAction', part: { action } }
}

function toAnswer(fields: Fields, { state, position, author }: TurnPlace): Omit<TurnEvent, 'afterMs'> {
  const { answer, to, note } = fields
  const isDeleted = (index: number): boolean =>
    state.messages.some(({ messageId, deleted }) => deleted && messageId === toQuestionMessageId(index))
  const index = state.asked.findLastIndex(
    (one, at) => one.answer === undefined && (to === undefined || one.id === to) && !isDeleted(at),
  )
  const question = state.asked[index]
  if (!question) {
    const which = to === undefined ? 'no question is open' : `no question ${printValue(to)} is open`
    throw wrong(position, `answers, but ${which}`, fields)
  }
  const wanted = question.type === 'approval' ? 'boolean' : 'string'
  if (typeof answer !== wanted || answer === '')
    throw wrong(
      position,
      `must answer "${question.id}" with a ${wanted === 'string' ? 'non-empty string' : wanted}`,
      fields,
    )
  if (note !== undefined && (question.type !== 'approval' || typeof note !== 'string'))
    throw wrong(position, 'has a note, which must be a string and is only for approvals', fields)
  const { questionId, id, type, value, options = [], labels = {}, by } = question
  if (by && !by.includes(author.userId))
    throw wrong(position, `answers as ${author.userId}, but only ${by.join(', ')} may answer`, fields)
  const option = options.find((one) => one.value === answer)
  if (type === 'choice' && !option)
    throw wrong(position, `must choose one of ${options.map((one) => one.value).join(', ')}`, fields)
  const remark = note
  const given: AgentAnswer =
    type === 'approval'
      ? { questionId, type, approved: answer === true, ...(remark !== undefined && { note: remark }) }
      : type === 'choice'
        ? { questionId, type, choice: String(answer) }
        : { questionId, type, text: String(answer) }
  question.answer = given
  const label = answer === true ? (labels.approve ?? 'Approve') : (labels.reject ?? 'Reject')
  const decision = remark === undefined ? label : `${label}: ${remark}`
  const text = type === 'approval' ? decision : (option?.label ?? String(answer))
  const action = { id, author, sourceMessageId: toQuestionMessageId(index), answer: given }
  return {
    event: 'onAction',
    part: { action: { ...action, ...(value !== undefined && { value }) } },
    message: { messageId: `answer-${position + 1}`, text },
  }
}

function wrong(position: number, what: string, given: unknown): TypeError {
  return new TypeError(`Turn ${position} ${what}; got ${printValue(given).slice(0, 200)}.`)
}
