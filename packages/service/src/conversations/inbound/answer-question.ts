import type { JsonObject } from '@trestle/protocol'
import { ApiError, invalid, notFound } from '../../api/api-error.ts'
import type { ConversationQuestionRow } from '../../store/schema/agent.ts'
import { addMessage } from '../base/add-message.ts'
import type { HeldConversation } from '../base/change-conversation.ts'
import { queueDelivery } from '../base/queue-delivery.ts'
import { findMessage } from '../base/stored-message.ts'
import { reopen } from './write-message.ts'

/** The answer of a user; one of `text`, `choice` and `approved` is set. */
export interface QuestionAnswer {
  /** The agent's id for the question. */
  readonly questionId: string
  readonly text?: string | undefined
  /** The value of the chosen option. */
  readonly choice?: string | undefined
  /** Whether it was approved. */
  readonly approved?: boolean | undefined
  /** A note on an approval. */
  readonly note?: string | undefined
  /** The user, in the format of the agent protocol. */
  readonly author: JsonObject
}

/**
 * Stores the answer to a question, and reports it to the agent. Reopens a resolved conversation.
 *
 * @throws {ApiError} 403 for a question to other users, 404 for an unknown one, 409 for an answered or deleted one, 422
 * for the wrong kind of answer.
 */
export async function answerQuestion(held: HeldConversation, input: QuestionAnswer): Promise<void> {
  const { tx, row, nowMs } = held
  const question = await tx
    .selectFrom('conversationQuestions')
    .selectAll()
    .where('conversationId', '=', row.id)
    .where('questionId', '=', input.questionId)
    .executeTakeFirst()
  if (!question) throw notFound('Question', input.questionId)
  if (question.answer !== null) throw new ApiError(409, 'The question was already answered.')
  const by = question.by === null ? undefined : (JSON.parse(question.by) as readonly unknown[])
  if (by && !by.includes(input.author['userId']))
    throw new ApiError(403, `Only ${by.join(', ')} may answer this question.`)
  await findMessage(held, question.messageId, { field: 'questionId' })
  const { answer, text: answerText } = toAnswer(question, input)
  reopen(held)
  const { author, questionId } = input
  // First, because a conversation may have too many messages; the question then stays open.
  await addMessage(held, { role: 'user', text: answerText, author, questionId })
  await tx
    .updateTable('conversationQuestions')
    .set({ answer: JSON.stringify(answer), answeredAt: nowMs })
    .where('id', '=', question.id)
    .execute()
  const { actionId, value, messageId } = question
  const action = {
    id: actionId,
    ...(value === null ? {} : { value: JSON.parse(value) as unknown }),
    ...{ sourceMessageId: messageId, author, answer },
  }
  await queueDelivery(held, { target: 'bridge', event: 'onAction', messageId, body: { action } })
  if (row.platform !== 'web') await queueDelivery(held, { target: 'platform', event: 'update', messageId })
}

interface FormattedAnswer {
  /** The answer in the format of the agent protocol. */
  readonly answer: JsonObject
  /** The answer as readable text. */
  readonly text: string
}

const fields = { text: 'text', choice: 'choice', approval: 'approved' } as const

function toAnswer(question: ConversationQuestionRow, input: QuestionAnswer): FormattedAnswer {
  const { type, questionId } = question
  const expectedField = fields[type]
  const otherFields = Object.values(fields).filter((name) => name !== expectedField && input[name] !== undefined)
  if (otherFields[0] !== undefined)
    throw invalid(otherFields[0], `is not allowed: this question expects ${expectedField}`)
  if (input[expectedField] === undefined) throw invalid(expectedField, 'is missing: this question expects it')
  if (input.note !== undefined && type !== 'approval') throw invalid('note', 'is only allowed with approved')
  if (type === 'text') return { answer: { questionId, type, text: input.text }, text: input.text ?? '' }
  if (type === 'choice') {
    const option = findOption(question, input.choice)
    return { answer: { questionId, type, choice: option.value }, text: option.label }
  }
  const { approved, note } = input
  const labels = JSON.parse(question.labels ?? '{}') as { readonly approve?: string; readonly reject?: string }
  const label = approved ? (labels.approve ?? 'Approve') : (labels.reject ?? 'Reject')
  return {
    answer: { questionId, type, approved, ...(note === undefined ? {} : { note }) },
    text: note === undefined ? label : `${label}: ${note}`,
  }
}

function findOption({ options }: ConversationQuestionRow, choice: string | undefined) {
  const all = JSON.parse(options ?? '[]') as readonly { readonly value: string; readonly label: string }[]
  const option = all.find(({ value }) => value === choice)
  if (!option) throw invalid('choice', `must be one of ${all.map(({ value }) => JSON.stringify(value)).join(', ')}`)
  return option
}
