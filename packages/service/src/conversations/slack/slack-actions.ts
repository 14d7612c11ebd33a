import type { JsonObject } from '@trestle/protocol'
import { toText } from '@trestle/templates/text'
import { compact, readText, toObject } from '../../json/json.ts'
import type { ConversationMessageRow, ConversationQuestionRow } from '../../store/schema/agent.ts'
import type { HeldConversation } from '../base/change-conversation.ts'
import { answerQuestion, type QuestionAnswer } from '../inbound/answer-question.ts'
import { click, react } from '../inbound/user-actions.ts'
import { cardPrefix, findPart, linkPrefix, readMessageId } from './card-parts.ts'
import { fromEmojiName } from './emoji-name.ts'
import type { SlackAction, SlackClicked, SlackReacted } from './read-slack-call.ts'
import { answerIds, questionPrefix } from './slack-message.ts'

/**
 * Stores a reaction from Slack, and reports it to the agent.
 *
 * @throws {ApiError} The message no longer exists, or has too many reactions.
 */
export async function changeReactionOf(held: HeldConversation, call: SlackReacted): Promise<void> {
  const { ts, userId, emoji, added } = call
  const message = await findByTime(held, ts)
  if (message) await react(held, { messageId: message.id, emoji: fromEmojiName(emoji), added, author: { userId } })
}

/** The used item: a question, or a part of a message's card. */
export interface UsedBlock {
  /** Where it is stored. */
  readonly table: 'conversationQuestions' | 'conversationMessages'
  /** Its row id there. */
  readonly id: string
}

/**
 * Parses a block id. Slack's own message id cannot be used: it is only known after Slack has responded to the post, and
 * users may click before.
 *
 * @returns The item; `undefined` if nothing in the block needs to be reported.
 */
export function readUsedBlock(blockId: string): UsedBlock | undefined {
  if (blockId.startsWith(questionPrefix))
    return { table: 'conversationQuestions', id: blockId.slice(questionPrefix.length) }
  return blockId.startsWith(cardPrefix) ? { table: 'conversationMessages', id: readMessageId(blockId) } : undefined
}

/**
 * Handles interactions with a message on Slack: answers to questions, and buttons and lists of cards. Values come from
 * the agent's message, not from the call.
 *
 * @throws {ApiError} The question is already answered, or an answer does not fit.
 */
export async function handleClick(held: HeldConversation, { userId, userName, actions }: SlackClicked): Promise<void> {
  const author = compact({ userId, userName })
  for (const action of actions) {
    const usedBlock = readUsedBlock(action.blockId)
    if (!usedBlock || action.actionId.startsWith(linkPrefix)) continue
    const actionInput = { action, author, id: usedBlock.id }
    await (usedBlock.table === 'conversationQuestions'
      ? handleAnswer(held, actionInput)
      : handleCardClick(held, actionInput))
  }
}

interface ActionInput {
  readonly action: SlackAction
  readonly author: JsonObject
  readonly id: string
}

async function handleAnswer(held: HeldConversation, { action, author, id }: ActionInput): Promise<void> {
  const question = await held.tx
    .selectFrom('conversationQuestions')
    .selectAll()
    .where('id', '=', id)
    .where('conversationId', '=', held.row.id)
    .executeTakeFirst()
  if (question) await answerQuestion(held, { questionId: question.questionId, author, ...toAnswer(question, action) })
}

function toAnswer({ options }: ConversationQuestionRow, action: SlackAction): Partial<QuestionAnswer> {
  const { actionId } = action
  if (actionId === answerIds.text) return { text: action.text }
  if (actionId === answerIds.choice) return { choice: readText(findChosen(JSON.parse(options ?? '[]'), action)) }
  return actionId === answerIds.approve || actionId === answerIds.reject
    ? { approved: actionId === answerIds.approve }
    : {}
}

/** Options contain their positions. */
function findChosen(options: unknown, { chosen = '' }: SlackAction): unknown {
  const option: unknown = Array.isArray(options) && /^\d{1,5}$/.test(chosen) ? options[Number(chosen)] : undefined
  return toObject(option)['value']
}

async function handleCardClick(held: HeldConversation, { action, author, id }: ActionInput): Promise<void> {
  const message = await held.tx
    .selectFrom('conversationMessages')
    .select(['id', 'card'])
    .where('id', '=', id)
    .where('conversationId', '=', held.row.id)
    .executeTakeFirst()
  const part = message?.card ? findPart(JSON.parse(message.card), action.actionId) : undefined
  if (!message || !part) return
  const value = part['type'] === 'button' ? part['value'] : findChosen(part['options'], action)
  await click(held, { actionId: toText(part['id']), value, sourceMessageId: message.id, author })
}

async function findByTime({ tx, row }: HeldConversation, ts: string): Promise<ConversationMessageRow | undefined> {
  return tx
    .selectFrom('conversationMessages')
    .selectAll()
    .where('conversationId', '=', row.id)
    .where('platformMessageId', '=', ts)
    .executeTakeFirst()
}
