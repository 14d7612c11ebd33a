import { z } from 'zod'
import { jsonRecord } from '../json-record.ts'
import { named } from '../named.ts'

export const inboundMail: z.ZodType = named('InboundMail', 'An email received for a domain.', {
  _id: z.string().describe('The id, assigned by the service.'),
  domain: z.string().describe('The domain.'),
  recipient: z.string().describe('The address it was sent to.'),
  sender: z.string().describe('Who sent it.'),
  subject: z.string().describe('The subject.'),
  verdict: z.string().describe('Whether its sender is authenticated.'),
  status: z.enum(['pending', 'delivered', 'failed', 'ignored']).describe('The status of its delivery.'),
  messageId: z.string().optional().describe('Its Message-ID.'),
  sizeBytes: z.number().describe('Its size, in bytes.'),
  attempts: z.number().describe('The number of delivery attempts.'),
  type: z.string().optional().describe('The type of destination: an agent or a webhook.'),
  target: z.string().optional().describe('The destination.'),
  reason: z.string().optional().describe('Why it was not delivered.'),
  conversationId: z.string().optional().describe('The conversation it belongs to.'),
  createdAt: z.string().describe('When it was received.'),
  settledAt: z.string().optional().describe('When its delivery ended.'),
  content: jsonRecord.optional().describe('The mail as its webhook receives it; not in lists.'),
})
