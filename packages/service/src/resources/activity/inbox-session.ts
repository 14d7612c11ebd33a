import { z } from 'zod'
import { preferenceChannels, severity } from '../channel.ts'
import { named } from '../named.ts'
import { schedule } from '../workflows/preference.ts'

const counts = { high: z.number(), medium: z.number(), low: z.number(), none: z.number() }

export const inboxSession: z.ZodType = named('InboxSession', 'The session of a subscriber in a browser.', {
  token: z.string().describe('The token of calls under `/v1/inbox`.'),
  applicationIdentifier: z.string().describe('The application identifier of the environment.'),
  totalUnreadCount: z.number().describe('Number of unread messages.'),
  unreadCount: z.object({ total: z.number(), severity: z.object(counts) }).describe('The same, by severity.'),
  removeNovuBranding: z.boolean().describe('Whether the inbox names no product.'),
  isDevelopmentMode: z.boolean().describe('Whether the environment is not Production.'),
  maxSnoozeDurationHours: z.number().describe('The longest time that a message can be snoozed for.'),
})

export const inboxPreference: z.ZodType = named(
  'InboxPreference',
  'What a subscriber chose for one workflow, or for all.',
  {
    level: z.enum(['global', 'template']).describe('`global` for all workflows.'),
    enabled: z.boolean().describe('Whether anything is sent.'),
    channels: preferenceChannels.describe('Whether each channel is used.'),
    schedule: schedule.optional().describe('When messages are sent; of the global preference only.'),
    workflow: z
      .object({
        id: z.string(),
        identifier: z.string(),
        name: z.string(),
        critical: z.boolean(),
        severity,
        tags: z.array(z.string()),
      })
      .optional()
      .describe('The workflow.'),
  },
)
