import { z } from 'zod'
import { jsonRecord } from '../json-record.ts'
import { named } from '../named.ts'

export const agentLine: z.ZodType = named('AgentLine', 'An agent of the bridge.', {
  agentId: z.string().describe("The agent's identifier."),
  conversations: z.number().describe('The number of conversations.'),
})

const conversationLineFields = {
  _id: z.string().describe('Row id.'),
  agentId: z.string().describe("The agent's identifier."),
  status: z.enum(['open', 'resolved']).describe('Whether it is open.'),
  identifier: z.string().describe('The conversation id for agents.'),
  integrationIdentifier: z.string().optional().describe('The chat integration it came through.'),
  platform: z.string().describe('The platform; `web` for the studio.'),
  subscriberId: z.string().optional().describe('The subscriber id of the user, if known.'),
  title: z.string().optional().describe('The start of the first message; empty if there is none yet.'),
  messageCount: z.number().describe('The number of messages.'),
  createdAt: z.string().describe('When it started.'),
  lastActivityAt: z.string().describe('When it was last active.'),
  summary: z.string().optional().describe("The agent's summary when it was resolved."),
}

export const conversationLine: z.ZodType = named(
  'ConversationLine',
  'A conversation with an agent, as lists return it.',
  conversationLineFields,
)

export const messageFile: z.ZodType = named('MessageFile', 'A file of a message.', {
  name: z.string().describe('The file name.'),
  mimeType: z.string().optional().describe('The media type.'),
  size: z.number().optional().describe('The size in bytes, if the service stores its content.'),
  url: z.string().optional().describe('The URL, if the service does not store its content.'),
})

export const fileContent: z.ZodType = named('FileContent', 'A file with its content.', {
  name: z.string().describe('The file name.'),
  mimeType: z.string().optional().describe('The media type.'),
  data: z.string().optional().describe('The content in Base64.'),
  url: z.string().optional().describe('The URL, if the service does not store its content.'),
})

export const conversationMessage: z.ZodType = named('ConversationMessage', 'A message of a conversation.', {
  _id: z.string().describe('Row id.'),
  role: z.enum(['user', 'agent', 'system']).describe('The author: a user, the agent, or the service for failures.'),
  author: jsonRecord.optional().describe('The user who wrote it.'),
  text: z.string().optional().describe('Plain text.'),
  markdown: z.string().optional().describe('Markdown.'),
  card: jsonRecord.optional().describe('A card, as chat steps send it.'),
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
    .describe('The failure it reports.'),
  createdAt: z.string().describe('When it was written.'),
  editedAt: z.string().optional().describe('When it was last edited.'),
  deletedAt: z.string().optional().describe('When it was deleted; a deleted message has no content.'),
  questionId: z.string().optional().describe('The question it asks, or answers.'),
})

export const questionAnswer: z.ZodType = named('QuestionAnswer', 'The answer from a user.', {
  questionId: z.string().optional().describe("The agent's id for this question."),
  type: z.enum(['text', 'choice', 'approval']).optional().describe('The type of question.'),
  text: z.string().optional().describe('The text answer.'),
  choice: z.string().optional().describe('The chosen value.'),
  approved: z.boolean().optional().describe('Whether it was approved.'),
  note: z.string().optional().describe('A note on the approval.'),
})

export const conversationQuestion: z.ZodType = named('ConversationQuestion', 'A question from the agent.', {
  questionId: z.string().describe("The agent's id for this question."),
  id: z.string().describe('The id of the subject, such as `refund`.'),
  type: z.enum(['text', 'choice', 'approval']).describe('The type of answer.'),
  text: z.string().describe('The text of the question.'),
  options: z
    .array(
      z.object({
        value: z.string(),
        label: z.string(),
      }),
    )
    .optional()
    .describe('The options.'),
  labels: z
    .object({
      approve: z.string().optional(),
      reject: z.string().optional(),
    })
    .optional()
    .describe('Labels of the two buttons.'),
  by: z.array(z.string()).optional().describe('The only users who may answer it.'),
  status: z.enum(['open', 'answered']).describe('The status.'),
  answer: questionAnswer.optional().describe('The answer.'),
  messageId: z.string().describe('The message with the question.'),
  createdAt: z.string().describe('The time of the question.'),
  answeredAt: z.string().optional().describe('When it was answered.'),
})

export const eventDelivery: z.ZodType = named('EventDelivery', 'A delivery of an event to the bridge.', {
  deliveryId: z.string().describe('The event id, the same in each attempt.'),
  event: z.string().describe('The name of the event.'),
  messageId: z.string().optional().describe('The message it is about.'),
  status: z.enum(['pending', 'acknowledged', 'failed']).describe('The status.'),
  attempts: z.number().describe('The number of attempts.'),
  lastError: z
    .object({
      code: z.string(),
      message: z.string(),
    })
    .optional()
    .describe('Why the last attempt failed.'),
  createdAt: z.string().describe('When it was queued.'),
  acknowledgedAt: z.string().optional().describe('When the bridge accepted it.'),
})

export const conversation: z.ZodType = named('Conversation', 'A conversation with all its data.', {
  ...conversationLineFields,
  metadata: jsonRecord.describe('Metadata set by the agent.'),
  isTyping: z.boolean().describe('Whether the agent is typing.'),
  typingUntil: z.string().optional().describe('When the typing indicator ends.'),
  messages: z.array(conversationMessage).describe('Its messages, oldest first.'),
  questions: z.array(conversationQuestion).describe("The agent's questions, oldest first."),
  deliveries: z.array(eventDelivery).describe('The events sent to the bridge, oldest first.'),
})

export const accepted: z.ZodType = named(
  'Accepted',
  'The response for an event that is delivered to the agent later.',
  {
    accepted: z.boolean().describe('Whether it was accepted.'),
  },
)

export const agentReplyResult: z.ZodType = named('AgentReplyResult', "The outcome of an agent's reply.", {
  messageId: z.string().optional().describe('The created or changed message.'),
  platformThreadId: z.string().optional().describe('The thread on the platform.'),
})
