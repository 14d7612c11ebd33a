import { z } from 'zod'
import { jsonRecord } from '../json-record.ts'
import { named } from '../named.ts'

export const outboxItem: z.ZodType = named(
  'OutboxItem',
  'A message that no integration delivers, as it would have been sent.',
  {
    _id: z.string().describe('Row id.'),
    _environmentId: z.string().describe('The environment.'),
    _messageId: z.string().describe('The message of the run.'),
    _notificationId: z.string().describe('Row id of the run.'),
    channel: z.string().describe('`email`, `sms`, `push`, `chat` or `tool`.'),
    recipient: z.string().describe('The recipient.'),
    content: jsonRecord.describe('The request that would have been sent to the provider.'),
    readAt: z.string().nullable().describe('When it was read in the studio.'),
    createdAt: z.string().describe('When it was added.'),
    transactionId: z.string().optional().describe("The run's transaction; in lists only."),
  },
)
