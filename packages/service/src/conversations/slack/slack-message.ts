import type { JsonObject } from '@trestle/protocol'
import { toSlackBlocks } from '../../channels/chat/slack-blocks.ts'
import { isFitting, maxText, toFittingBlocks } from '../../channels/chat/slack-fitting.ts'
import { toBoldSections, toLinkSections } from '../../channels/chat/slack-literal.ts'
import { toMrkdwn } from '../../channels/chat/slack-markdown.ts'
import type { SlackNames } from '../../channels/chat/slack-names.ts'
import { plain, toOptions } from '../../channels/chat/slack-options.ts'
import { shortenMrkdwn, toPlainSections, toSections } from '../../channels/chat/slack-sections.ts'
import { escapeSlack } from '../../channels/chat/slack-text.ts'
import type { ConversationMessageRow, ConversationQuestionRow } from '../../store/schema/agent.ts'
import { toMessageText } from '../base/message-text.ts'
import { linkPrefix, toActionId, toBlockId } from './card-parts.ts'

/** The prefix of block ids that take an answer; the question's row id follows. */
export const questionPrefix = 'trestle.question.'

/** The ids of answer elements. */
export const answerIds: Readonly<Record<'approve' | 'reject' | 'choice' | 'text', string>> = Object.freeze({
  approve: 'trestle.approve',
  reject: 'trestle.reject',
  choice: 'trestle.choice',
  text: 'trestle.text',
})

/** The maximum length of a button label. */
const maxLabel = 75

const turnErrors: readonly unknown[] = ['TurnFailed', 'TurnTimedOut']
const noAnswer = 'The agent is not responding at the moment. Please try again later.'

/** A message in the format of Slack's API. */
export interface SlackMessage extends JsonObject {
  /** The text, or the fallback text if there are blocks. */
  readonly text: string
  readonly blocks: readonly JsonObject[]
}

/**
 * Converts a message of a conversation to the format of Slack's API.
 *
 * @param question - The question it asks, if any.
 */
export function toSlackMessage(message: ConversationMessageRow, question?: ConversationQuestionRow): SlackMessage {
  if (message.role === 'system') return toSystemMessage(message)
  const { text, markdown, card, files } = message
  const said = markdown ? toMrkdwn(markdown) : toFallback(text ?? '')
  const blocks = [
    ...(markdown ? toSections(said) : toPlainSections(text ?? '')),
    ...(card === null ? [] : toSlackBlocks(JSON.parse(card) as JsonObject, toNames(message))),
    ...(JSON.parse(files) as readonly StoredFile[]).flatMap(toFileBlocks),
  ]
  const fallback = said === '' ? toFallback(toMessageText(message)) : shortenMrkdwn(said, maxText)
  // Slack rejects empty messages.
  return { text: fallback.trim() === '' ? '–' : fallback, blocks: withAnswer(blocks, question) }
}

const unseen =
  'This question is longer than Slack can show. It cannot be answered here, because the whole text must be visible for an approval.'

/**
 * Users must not approve what they cannot read, so a question that does not fit has no buttons. A text answer is still
 * possible.
 */
function withAnswer(blocks: readonly JsonObject[], question?: ConversationQuestionRow): readonly JsonObject[] {
  if (!question) return toFittingBlocks(blocks)
  const answer = toAnswerBlocks(question)
  const { approve, reject } = toLabels(question.labels)
  const isShown = isFitting([...blocks, ...answer]) && Math.max(approve.length, reject.length) <= maxLabel
  if (question.answer !== null) return toFittingBlocks([...blocks, ...answer])
  return toFittingBlocks(blocks, isShown || question.type === 'text' ? answer : toPlainSections(unseen))
}

const toFallback = (text: string): string => shortenMrkdwn(escapeSlack(text), maxText)

/** The studio shows why an agent was not reached; users only see that it does not respond. */
function toSystemMessage({ text, error }: ConversationMessageRow): SlackMessage {
  const { code } = (error === null ? {} : JSON.parse(error)) as { readonly code?: string }
  const said = turnErrors.includes(code) ? (text ?? noAnswer) : noAnswer
  return { text: toFallback(said), blocks: toPlainSections(said) }
}

/** List options contain their positions, because their values may be too long for Slack. */
const byPlace = (_option: JsonObject, index: number): string => String(index)

const toNames = (message: ConversationMessageRow): SlackNames => ({
  block: (place) => toBlockId(message, place),
  action: toActionId,
  link: (_part, place) => `${linkPrefix}${place}`,
  option: byPlace,
})

interface StoredFile {
  readonly name: string
  readonly url?: string
}

function toFileBlocks({ name, url }: StoredFile): readonly JsonObject[] {
  return url === undefined
    ? toPlainSections(`${name} (the file itself was not sent to Slack)`)
    : toLinkSections(url, name)
}

function toAnswerBlocks(question: ConversationQuestionRow): readonly JsonObject[] {
  const block_id = `${questionPrefix}${question.id}`
  if (question.answer !== null) return toBoldSections(toAnswerText(question))
  if (question.type === 'text') {
    const element = { type: 'plain_text_input', action_id: answerIds.text }
    return [{ type: 'input', block_id, dispatch_action: true, label: plain('Answer', maxLabel), element }]
  }
  const by = question.by === null ? [] : (JSON.parse(question.by) as readonly string[])
  const only = by.length === 0 ? [] : toSections(`Only ${by.map(toMention).join(', ')} may answer.`)
  return [...only, { type: 'actions', block_id, elements: toAnswerElements(question) }]
}

/** Slack ids become mentions; others are shown unchanged. */
const toMention = (userId: string): string => (/^[UW][A-Z0-9]+$/.test(userId) ? `<@${userId}>` : escapeSlack(userId))

function toAnswerElements({ type, options, labels }: ConversationQuestionRow): readonly JsonObject[] {
  if (type === 'choice') {
    const parsed: unknown = JSON.parse(options ?? '[]')
    return [
      {
        type: 'static_select',
        action_id: answerIds.choice,
        placeholder: plain('Choose', 150),
        options: toOptions(parsed, byPlace),
      },
    ]
  }
  const { approve, reject } = toLabels(labels)
  return [
    { type: 'button', action_id: answerIds.approve, text: plain(approve, maxLabel), style: 'primary' },
    { type: 'button', action_id: answerIds.reject, text: plain(reject, maxLabel), style: 'danger' },
  ]
}

function toLabels(labels: string | null): { readonly approve: string; readonly reject: string } {
  const { approve = 'Approve', reject = 'Reject' } = JSON.parse(labels ?? '{}') as { approve?: string; reject?: string }
  return { approve, reject }
}

function toAnswerText({ answer, options, labels }: ConversationQuestionRow): string {
  const given = JSON.parse(answer ?? '{}') as Answer
  if (given.type === 'text') return given.text ?? ''
  if (given.type === 'choice') {
    const all = JSON.parse(options ?? '[]') as readonly { readonly value: string; readonly label: string }[]
    return all.find(({ value }) => value === given.choice)?.label ?? given.choice ?? ''
  }
  const { approve, reject } = toLabels(labels)
  return given.approved ? approve : reject
}

interface Answer {
  readonly type?: string
  readonly text?: string
  readonly choice?: string
  readonly approved?: boolean
}
