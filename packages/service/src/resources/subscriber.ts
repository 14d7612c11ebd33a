import { z } from 'zod'
import { channel } from './channel.ts'
import { jsonRecord } from './json-record.ts'
import { named } from './named.ts'

export const subscriber: z.ZodType = named('Subscriber', 'A recipient of notifications.', {
  _id: z.string().describe("The service's id."),
  subscriberId: z.string().describe("The customer's own id."),
  firstName: z.string().optional().describe('Given name.'),
  lastName: z.string().optional().describe('Family name.'),
  email: z.string().optional().describe('Mail address.'),
  phone: z.string().optional().describe('Phone number.'),
  avatar: z.string().optional().describe('URL of a picture.'),
  locale: z.string().optional().describe('BCP 47 language tag.'),
  timezone: z.string().optional().describe('Time zone, IANA name.'),
  data: jsonRecord.optional().describe('Free fields.'),
  channels: z.array(channel).describe('Channels with their credentials.'),
  topics: z.array(z.string()).optional().describe('Keys of the topics it belongs to.'),
  isOnline: z.boolean().optional().describe('Whether the subscriber is online now.'),
  lastOnlineAt: z.string().optional().describe('When the subscriber was last online.'),
  _organizationId: z.string().describe('The organization.'),
  _environmentId: z.string().describe('The environment.'),
  deleted: z.boolean().describe('Whether it has been deleted.'),
  createdAt: z.string().describe('When it was created.'),
  updatedAt: z.string().describe('When it was last changed.'),
  __v: z.number().optional().describe('Version of the stored document.'),
})

export const bulkSubscribers: z.ZodType = named(
  'BulkSubscribers',
  'The outcome of a bulk creation, subscriber by subscriber.',
  {
    updated: z
      .array(
        z.object({
          subscriberId: z.string(),
        }),
      )
      .describe('Those that existed and were changed.'),
    created: z
      .array(
        z.object({
          subscriberId: z.string(),
        }),
      )
      .describe('Those that are new.'),
    failed: z
      .array(
        z.object({
          subscriberId: z.string().optional(),
          message: z.string().optional(),
        }),
      )
      .describe('Those that failed, and why.'),
  },
)

export const oauthAnswer: z.ZodType = named(
  'OauthAnswer',
  'The answer of an authorization page: the address to send the browser to, or a page.',
  {
    location: z.string().optional().describe("Where the provider's page is, when the API answers with a redirect."),
    url: z.string().optional().describe('The same address, when the API answers with JSON.'),
    connected: z
      .boolean()
      .optional()
      .describe("Whether the provider's code was taken, when the API answers with JSON."),
    body: z.string().optional().describe('The text of an answer that is a page.'),
  },
)
