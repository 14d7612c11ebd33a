import { z } from 'zod'
import { named } from '../named.ts'

export const deliveryReport: z.ZodType = named(
  'DeliveryReport',
  'A report from a provider about a message that it has accepted.',
  {
    type: z.string().describe('`delivered`, `opened`, `clicked`, `bounced` or `complained`.'),
    at: z.string().describe('When it happened.'),
    reason: z.string().optional().describe('Why the message was not delivered.'),
  },
)

export const storedReports: z.ZodType = named('StoredReports', 'The outcome of received delivery reports.', {
  stored: z.number().describe('The number of new reports about messages of the integration.'),
})
