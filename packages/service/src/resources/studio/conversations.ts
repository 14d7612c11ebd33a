import { z } from 'zod'
import { jsonRecord } from '../json-record.ts'
import { named } from '../named.ts'

export const agentLine: z.ZodType = named('AgentLine', 'An agent of the bridge.', {
  agentId: z.string().describe("The agent's identifier."),
  conversations: z.number().describe('How many conversations it has.'),
})

const conversationLineFields = {
  _id: z.string().describe('Row id.'),
  agentId: z.string().describe("The agent's identifier."),
  status: z.enum(['open', 'resolved']).describe('Whether it goes on.'),
  identifier: z.string().describe('The identifier that agents know it by.'),
  integrationIdentifier: z.string().optional().describe('The integration it came through, of a chat.'),
  platform: z.string().describe('Where it takes place: `web` for the pages of the studio.'),
  subscriberId: z.string().optional().describe('The identifier of the subscriber who speaks, where it is one.'),
  title: z.string().optional().describe('The first words of its first message; empty before there is one.'),
  messageCount: z.number().describe('How many messages it has.'),
  createdAt: z.string().describe('When it began.'),
  lastActivityAt: z.string().describe('When something last happened in it.'),
  summary: z.string().optional().describe('How the agent summed it up when it ended it.'),
}

export const conversationLine: z.ZodType = named(
  'ConversationLine',
  'A conversation with an agent, as a list has it.',
  conversationLineFields,
)

export const messageFile: z.ZodType = named('MessageFile', 'A file of a message.', {
  name: z.string().describe('Its name.'),
  mimeType: z.string().optional().describe('Its media type.'),
  size: z.number().optional().describe('Its size in bytes, where the service holds its content.'),
  url: z.string().optional().describe('Its address, where the service does not.'),
})

export const fileContent: z.ZodType = named('FileContent', 'A file with its content.', {
  name: z.string().describe('Its name.'),
  mimeType: z.string().optional().describe('Its media type.'),
  data: z.string().optional().describe('The content as Base64.'),
  url: z.string().optional().describe('Its address, if the service does not hold the content.'),
})

export const conversationMessage: z.ZodType = named('ConversationMessage', 'A message of a conversation.', {
  _id: z.string().describe('Row id.'),
  role: z
    .enum(['user', 'agent', 'system'])
    .describe('Who speaks: a person, the agent, or the service about what went wrong.'),
  author: jsonRecord.optional().describe('The person who wrote it.'),
  text: z.string().optional().describe('Plain text.'),
  markdown: z.string().optional().describe('Markdown.'),
  card: jsonRecord.optional().describe('A card as chat steps send it.'),
  files: z.array(messageFile).optional().describe('Files.'),
  reactions: z
    .array(
      z.object({
        emoji: z.string(),
        by: z.enum(['user', 'agent']),
      }),
    )
    .describe('Reactions, oldest first.'),
  error: z
    .object({
      code: z.string(),
      message: z.string(),
    })
    .optional()
    .describe('The failure it tells of.'),
  createdAt: z.string().describe('When it was written.'),
  editedAt: z.string().optional().describe('When it was last edited.'),
  deletedAt: z.string().optional().describe('When it was deleted; it has no content then.'),
  questionId: z.string().optional().describe('The question it asks, or answers.'),
})

export const questionAnswer: z.ZodType = named('QuestionAnswer', 'What a person answered.', {
  questionId: z.string().optional().describe("The agent's id of this asking."),
  type: z.enum(['text', 'choice', 'approval']).optional().describe('The type of question.'),
  text: z.string().optional().describe('The text that was written.'),
  choice: z.string().optional().describe('The value that was chosen.'),
  approved: z.boolean().optional().describe('Whether it was approved.'),
  note: z.string().optional().describe('A remark beside it.'),
})

export const conversationQuestion: z.ZodType = named('ConversationQuestion', 'A question of the agent.', {
  questionId: z.string().describe("The agent's id of this asking."),
  id: z.string().describe('The id of what is asked, such as `refund`.'),
  type: z.enum(['text', 'choice', 'approval']).describe('What answers it.'),
  text: z.string().describe('What is asked.'),
  options: z
    .array(
      z.object({
        value: z.string(),
        label: z.string(),
      }),
    )
    .optional()
    .describe('What can be chosen.'),
  labels: z
    .object({
      approve: z.string().optional(),
      reject: z.string().optional(),
    })
    .optional()
    .describe('Texts of the two buttons.'),
  by: z.array(z.string()).optional().describe('The only people who may answer it.'),
  status: z.enum(['open', 'answered']).describe('Whether it waits.'),
  answer: questionAnswer.optional().describe('The answer.'),
  messageId: z.string().describe('The message that asks.'),
  createdAt: z.string().describe('When it was asked.'),
  answeredAt: z.string().optional().describe('When it was answered.'),
})

export const eventDelivery: z.ZodType = named('EventDelivery', 'An event on its way to the bridge.', {
  deliveryId: z.string().describe('Its id, the same in each attempt.'),
  event: z.string().describe('The name of the event.'),
  messageId: z.string().optional().describe('The message it is about.'),
  status: z.enum(['pending', 'acknowledged', 'failed']).describe('How it stands.'),
  attempts: z.number().describe('How often it was sent.'),
  lastError: z
    .object({
      code: z.string(),
      message: z.string(),
    })
    .optional()
    .describe('Why the last attempt failed.'),
  createdAt: z.string().describe('When it was queued.'),
  acknowledgedAt: z.string().optional().describe('When the bridge took it.'),
})

export const conversation: z.ZodType = named('Conversation', 'A conversation with all there is of it.', {
  ...conversationLineFields,
  metadata: jsonRecord.describe('What the agent keeps with it.'),
  isTyping: z.boolean().describe('Whether the agent says that it is at work.'),
  typingUntil: z.string().optional().describe('Until when that holds.'),
  messages: z.array(conversationMessage).describe('Its messages, oldest first.'),
  questions: z.array(conversationQuestion).describe("The agent's questions, oldest first."),
  deliveries: z.array(eventDelivery).describe('The events that went to the bridge, oldest first.'),
})

export const accepted: z.ZodType = named('Accepted', 'The answer to what an agent is told of later.', {
  accepted: z.boolean().describe('Whether it was accepted.'),
})

export const agentReplyResult: z.ZodType = named('AgentReplyResult', 'What became of a reply of an agent.', {
  messageId: z.string().optional().describe('The message it made or changed.'),
  platformThreadId: z.string().optional().describe('The thread of the platform it was written to.'),
})
