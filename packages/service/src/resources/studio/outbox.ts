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
    recipient: z.string().describe('Whom it is for.'),
    content: jsonRecord.describe('What would have been handed to the provider.'),
    readAt: z.string().nullable().describe('When it was read here.'),
    createdAt: z.string().describe('When it was put here.'),
    transactionId: z.string().optional().describe("The run's transaction; in lists only."),
  },
)
