import type { AgentAction, AgentAnswer, AgentEventName, AgentMessage, AgentReaction } from '@trestle/protocol'
import { printValue } from '../report/print-value.ts'
import type { ConversationState } from './conversation-state.ts'

/** What every event of a conversation may have. */
interface Timed {
  /** How long after the turn before it comes, in milliseconds; the wait is skipped. @default 0 */
  readonly afterMs?: number
}

/** What the person does: a text is a message. */
export type ConversationTurn =
  | string
  | (Timed & {
      /** Writes a message. */
      readonly message: string
    })
  | (Timed & {
      /** Clicks a button, or chooses from a list of a card. */
      readonly action: string
      /** The value of the button. */
      readonly value?: unknown
    })
  | (Timed & {
      /** Answers the last open question: an approval by a boolean, any other by a text. */
      readonly answer: string | boolean
      /** The id of the question, where it is not the last. */
      readonly to?: string
      /** A remark to an approval. */
      readonly note?: string
    })
  | (Timed & {
      /** Reacts to the last message of the agent. */
      readonly reaction: string
    })
  | (Timed & {
      /** Ends the conversation. */
      readonly resolve: true
    })

/** The part of an event that differs from turn to turn. */
export interface TurnEvent {
  /** The name of the event. */
  readonly event: AgentEventName
  /** Its part of the body. */
  readonly part: {
    readonly message?: Partial<AgentMessage>
    readonly action?: AgentAction
    readonly reaction?: Partial<AgentReaction>
  }
  /** How long after the turn before it comes, in milliseconds. */
  readonly afterMs: number
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
 * @param turn - What the person does.
 * @param state - The conversation so far.
 * @param position - The turn's position, for messages.
 * @throws TypeError - The turn has the wrong form, or answers a question that is not open.
 */
export function toTurnEvent(turn: ConversationTurn, state: ConversationState, position: number): TurnEvent {
  const given: unknown = typeof turn === 'string' ? { message: turn } : turn
  const fields = (typeof given === 'object' && given !== null ? given : {}) as Readonly<Record<string, unknown>>
  const [kind, ...others] = Object.keys(fieldsOf).filter((name) => fields[name] !== undefined)
  const known = kind === undefined ? [] : [kind, 'afterMs', ...(fieldsOf[kind] ?? [])]
  const { afterMs = 0 } = fields
  if (kind === undefined || others.length > 0 || Object.keys(fields).some((name) => !known.includes(name)))
    throw wrong(position, `must be a text, or have exactly one of ${Object.keys(fieldsOf).join(', ')}`, given)
  if (typeof afterMs !== 'number' || !(afterMs >= 0 && afterMs < Number.POSITIVE_INFINITY))
    throw wrong(position, 'must have an afterMs of 0 or more milliseconds', given)
  if (kind !== 'resolve' && kind !== 'answer' && typeof fields[kind] !== 'string')
    throw wrong(position, `must have a text as ${kind}`, given)
  return { ...toEvent(kind, fields, { state, position }), afterMs }
}

interface Place {
  readonly state: ConversationState
  readonly position: number
}

function toEvent(kind: string, fields: Readonly<Record<string, unknown>>, place: Place): Omit<TurnEvent, 'afterMs'> {
  const { state, position } = place
  if (kind === 'resolve') return { event: 'onResolve', part: {} }
  if (kind === 'message') {
    const message = { text: String(fields['message']), platformMessageId: `message-${position + 1}` }
    return { event: 'onMessage', part: { message } }
  }
  if (kind === 'reaction') {
    const last = state.said.findLast(({ deleted }) => !deleted)
    if (!last) throw wrong(position, 'reacts, but the agent has said nothing yet', fields)
    return { event: 'onReaction', part: { reaction: { emoji: String(fields['reaction']), messageId: last.messageId } } }
  }
  if (kind === 'answer') return { event: 'onAction', part: { action: toAnswer(fields, place) } }
  const { value } = fields
  return {
    event: 'onAction',
    part: { action: { id: String(fields['action']), ...(value !== undefined && { value }) } },
  }
}

function toAnswer(fields: Readonly<Record<string, unknown>>, { state, position }: Place): AgentAction {
  const { answer, to, note } = fields
  const open = state.asked.filter((question) => question.answer === undefined)
  const question = to === undefined ? open.at(-1) : open.findLast(({ id }) => id === to)
  if (!question) {
    const which = to === undefined ? 'no question is open' : `no question ${printValue(to)} is open`
    throw wrong(position, `answers, but ${which}`, fields)
  }
  const wanted = question.type === 'approval' ? 'boolean' : 'string'
  if (typeof answer !== wanted) throw wrong(position, `must answer "${question.id}" with a ${wanted}`, fields)
  const { questionId, id, type, value, options = [] } = question
  if (type === 'choice' && !options.some((option) => option.value === answer))
    throw wrong(position, `must choose one of ${options.map((option) => option.value).join(', ')}`, fields)
  const given: AgentAnswer =
    type === 'approval'
      ? { questionId, type, approved: answer === true, ...(note !== undefined && { note: String(note) }) }
      : type === 'choice'
        ? { questionId, type, choice: String(answer) }
        : { questionId, type, text: String(answer) }
  question.answer = given
  return { id, ...(value !== undefined && { value }), answer: given }
}

function wrong(position: number, what: string, given: unknown): TypeError {
  return new TypeError(`Turn ${position} ${what}; got ${printValue(given).slice(0, 200)}.`)
}
