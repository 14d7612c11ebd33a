import { z } from 'zod'
import { ApiError } from '../../api/api-error.ts'
import { filledText, text } from '../../api/input.ts'
import { type AnyOperation, operation } from '../../context/operation.ts'
import type { CallContext } from '../../context/service-context.ts'
import { changeConversation, type HeldConversation } from '../../conversations/base/change-conversation.ts'
import { conversationLimits } from '../../conversations/base/conversation-limits.ts'
import { queueAgain } from '../../conversations/base/queue-delivery.ts'
import { answerQuestion } from '../../conversations/inbound/answer-question.ts'
import { click, react, resolve } from '../../conversations/inbound/user-actions.ts'
import { writeMessage } from '../../conversations/inbound/write-message.ts'
import { accepted, conversationLine, conversationMessage } from '../../resources/studio/conversations.ts'
import { toConversation, toMessage } from './conversation-view.ts'

const common = { category: 'global', wrapped: true, access: 'edit', method: 'POST', output: accepted } as const
const path = '/v1/studio/conversations/{conversationId}'
const textLength = conversationLimits.textLength

const value = z
  .unknown()
  .refine(
    (given) => (JSON.stringify(given) ?? '').length <= conversationLimits.valueLength,
    `must have at most ${conversationLimits.valueLength} characters as JSON`,
  )

/** Operations for a user of the studio page who takes part in a conversation. */
export const conversationActOperations: readonly AnyOperation[] = Object.freeze([
  operation({
    ...common,
    name: 'studio.conversationWrite',
    path: `${path}/messages`,
    summary: 'Sends a message to the agent; reopens a resolved conversation',
    status: 201,
    output: conversationMessage,
    body: z.strictObject({ text: filledText(textLength) }),
    handler: (context, { params, body }) =>
      change(context, params, async (held) =>
        toMessage(await writeMessage(held, { text: body.text, author: toAuthor(held) })),
      ),
  }),
  operation({
    ...common,
    name: 'studio.conversationAct',
    path: `${path}/actions`,
    summary: 'Clicks a button on a card, or selects from its list',
    status: 202,
    body: z.strictObject({ actionId: filledText(), value: value.optional(), sourceMessageId: filledText().optional() }),
    handler: (context, { params, body }) =>
      accept(context, params, (held) => click(held, { ...body, author: toAuthor(held) })),
  }),
  operation({
    ...common,
    name: 'studio.conversationAnswer',
    path: `${path}/answers`,
    summary: 'Answers a question from the agent, once',
    status: 202,
    body: z.strictObject({
      questionId: filledText(1024),
      text: filledText(textLength).optional(),
      choice: text(2000).optional(),
      approved: z.boolean('must be true or false').optional(),
      note: text(10_000).optional(),
    }),
    handler: (context, { params, body }) =>
      accept(context, params, (held) => answerQuestion(held, { ...body, author: toAuthor(held) })),
  }),
  operation({
    ...common,
    name: 'studio.conversationReact',
    path: `${path}/reactions`,
    summary: 'Adds or removes a reaction to a message',
    status: 202,
    body: z.strictObject({
      messageId: filledText(),
      emoji: filledText(100),
      added: z.boolean('must be true or false').optional(),
    }),
    handler: (context, { params, body }) =>
      accept(context, params, (held) => react(held, { ...body, added: body.added ?? true, author: toAuthor(held) })),
  }),
  operation({
    ...common,
    name: 'studio.conversationResolve',
    path: `${path}/resolve`,
    summary: 'Resolves a conversation and notifies the agent',
    output: conversationLine,
    handler: ({ environment, conversations }, { params }) =>
      changeConversation(conversations, toNamed(environment.id, params), async (held) => {
        await resolve(held)
        return toConversation(held.row)
      }),
  }),
  operation({
    ...common,
    name: 'studio.deliverySendAgain',
    path: `${path}/deliveries/{deliveryId}/send-again`,
    summary: 'Resends an undelivered event to the bridge, with the same id',
    status: 202,
    // The event comes from the service, not from a user, so this works on every platform.
    async handler({ environment, conversations }, { params }) {
      await changeConversation(conversations, toNamed(environment.id, params), (held) =>
        queueAgain(held, params['deliveryId'] ?? ''),
      )
      return { accepted: true }
    },
  }),
])

type Params = Readonly<Record<string, string>>

const toNamed = (environmentId: string, { conversationId = '' }: Params) => ({ environmentId, conversationId })

/** The studio page cannot write to the platform, so members of the thread would not see the message. */
function change<T>(
  { environment, conversations }: CallContext,
  params: Params,
  work: (held: HeldConversation) => Promise<T>,
): Promise<T> {
  return changeConversation(conversations, toNamed(environment.id, params), async (held) => {
    if (held.row.platform !== 'web')
      throw new ApiError(
        409,
        `The conversation takes place ${held.row.platform === 'email' ? 'by' : 'on'} ${held.row.platform}; take part in it there.`,
      )
    return work(held)
  })
}

async function accept(
  context: CallContext,
  params: Params,
  work: (held: HeldConversation) => Promise<void>,
): Promise<{ readonly accepted: true }> {
  await change(context, params, work)
  return { accepted: true }
}

const toAuthor = ({ row }: HeldConversation) => ({ userId: row.subscriberId ?? 'studio', isBot: false })
