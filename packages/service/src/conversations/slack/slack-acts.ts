import type { JsonObject } from '@trestle/protocol'
import { compact, isObject, readText, toObject } from '../../json/json.ts'
import type { ConversationMessageRow, ConversationQuestionRow } from '../../store/schema/agent.ts'
import type { HeldConversation } from '../base/change-conversation.ts'
import { click, react } from '../people/act.ts'
import { answerQuestion, type GivenAnswer } from '../people/answer-question.ts'
import { linkPrefix } from './card-blocks.ts'
import { fromEmojiName } from './emoji-name.ts'
import type { SlackClicked, SlackReacted } from './read-slack-call.ts'
import { answerIds, questionPrefix } from './slack-message.ts'

/**
 * Stores a reaction that somebody made on Slack, and tells the agent.
 *
 * @param held - The conversation.
 * @param call - The reaction.
 * @throws {ApiError} The message is not there any more, or has too many.
 */
export async function changeReactionOf(held: HeldConversation, call: SlackReacted): Promise<void> {
  const { ts, userId, emoji, added } = call
  const message = await findByTime(held, ts)
  if (message) await react(held, { messageId: message.id, emoji: fromEmojiName(emoji), added, author: { userId } })
}

/**
 * Takes what somebody used in a message on Slack: answers to questions, buttons and lists of cards. The values are those
 * the agent sent, not what comes back.
 *
 * @param held - The conversation.
 * @param call - The interaction.
 * @throws {ApiError} The question is answered already, or an answer does not fit.
 */
export async function takeClick(held: HeldConversation, call: SlackClicked): Promise<void> {
  const { ts, userId, userName, actions } = call
  const message = await findByTime(held, ts)
  if (!message) return
  const author = compact({ userId, userName })
  for (const action of actions) {
    const blockId = readText(action['block_id']) ?? ''
    const actionId = readText(action['action_id']) ?? ''
    if (actionId === '' || actionId.startsWith(linkPrefix)) continue
    if (blockId.startsWith(questionPrefix))
      await takeAnswer(held, { action, author, id: blockId.slice(questionPrefix.length) })
    else await takeCardClick(held, { action, author, message, actionId })
  }
}

interface TakenAnswer {
  readonly action: JsonObject
  readonly author: JsonObject
  readonly id: string
}

async function takeAnswer(held: HeldConversation, { action, author, id }: TakenAnswer): Promise<void> {
  const question = await held.tx
    .selectFrom('conversationQuestions')
    .selectAll()
    .where('id', '=', id)
    .where('conversationId', '=', held.row.id)
    .executeTakeFirst()
  if (question) await answerQuestion(held, { questionId: question.questionId, author, ...toAnswer(question, action) })
}

function toAnswer(question: ConversationQuestionRow, action: JsonObject): Partial<GivenAnswer> {
  const actionId = action['action_id']
  if (actionId === answerIds.text) return { text: readText(action['value']) }
  if (actionId === answerIds.choice)
    return { choice: readText(findChosen(JSON.parse(question.options ?? '[]'), action)) }
  return actionId === answerIds.approve || actionId === answerIds.reject
    ? { approved: actionId === answerIds.approve }
    : {}
}

/** Options carry their places. */
function findChosen(options: unknown, action: JsonObject): unknown {
  const place = readText(toObject(action['selected_option'])['value']) ?? ''
  const option: unknown = Array.isArray(options) && /^\d{1,3}$/.test(place) ? options[Number(place)] : undefined
  return toObject(option)['value']
}

interface CardClick {
  readonly action: JsonObject
  readonly author: JsonObject
  readonly message: ConversationMessageRow
  readonly actionId: string
}

async function takeCardClick(held: HeldConversation, { action, author, message, actionId }: CardClick): Promise<void> {
  const part = findInteractive(message.card === null ? undefined : JSON.parse(message.card), actionId, 0)
  if (!part) return
  const value = part['type'] === 'button' ? part['value'] : findChosen(part['options'], action)
  await click(held, { actionId, value, sourceMessageId: message.id, author })
}

const interactive: readonly unknown[] = ['button', 'select', 'radio_select']

function findInteractive(part: unknown, id: string, depth: number): JsonObject | undefined {
  if (!isObject(part) || depth > 20) return undefined
  if (interactive.includes(part['type'])) return part['id'] === id ? part : undefined
  const children: readonly unknown[] = Array.isArray(part['children']) ? part['children'] : []
  for (const child of children) {
    const found = findInteractive(child, id, depth + 1)
    if (found) return found
  }
  return undefined
}

async function findByTime({ tx, row }: HeldConversation, ts: string): Promise<ConversationMessageRow | undefined> {
  return tx
    .selectFrom('conversationMessages')
    .selectAll()
    .where('conversationId', '=', row.id)
    .where('platformMessageId', '=', ts)
    .executeTakeFirst()
}
