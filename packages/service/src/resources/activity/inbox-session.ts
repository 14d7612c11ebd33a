import { z } from 'zod'
import { preferenceChannels, severity } from '../channel.ts'
import { named } from '../named.ts'
import { schedule } from '../workflows/preference.ts'

const counts = { high: z.number(), medium: z.number(), low: z.number(), none: z.number() }

export const inboxSession: z.ZodType = named('InboxSession', 'The session of a subscriber in a browser.', {
  token: z.string().describe('The token for calls to `/v1/inbox`.'),
  applicationIdentifier: z.string().describe('The application identifier of the environment.'),
  totalUnreadCount: z.number().describe('Number of unread messages.'),
  unreadCount: z
    .object({ total: z.number(), severity: z.object(counts) })
    .describe('Number of unread messages, by severity.'),
  removeNovuBranding: z.boolean().describe('Whether the inbox hides the product name.'),
  isDevelopmentMode: z.boolean().describe('Whether the environment is not Production.'),
  maxSnoozeDurationHours: z.number().describe('The longest time that a message can be snoozed for.'),
})

export const inboxPreference: z.ZodType = named(
  'InboxPreference',
  "A subscriber's preference for one workflow, or for all.",
  {
    level: z.enum(['global', 'template']).describe('`global` for all workflows.'),
    enabled: z.boolean().describe('Whether messages are sent.'),
    channels: preferenceChannels.describe('Whether each channel is enabled.'),
    schedule: schedule.optional().describe('When messages are sent; only in the global preference.'),
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
