import { z } from 'zod'
import { channel } from './channel.ts'
import { jsonRecord } from './json-record.ts'
import { named } from './named.ts'

export const subscriber: z.ZodType = named('Subscriber', 'A recipient of notifications.', {
  _id: z.string().describe('The id, assigned by the service.'),
  subscriberId: z.string().describe('The subscriber id, chosen by the caller.'),
  firstName: z.string().optional().describe('Given name.'),
  lastName: z.string().optional().describe('Family name.'),
  email: z.string().optional().describe('Email address.'),
  phone: z.string().optional().describe('Phone number.'),
  avatar: z.string().optional().describe('URL of an image.'),
  locale: z.string().optional().describe('BCP 47 language tag.'),
  timezone: z.string().optional().describe('IANA time zone.'),
  data: jsonRecord.optional().describe('Custom data.'),
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
      .describe('Subscribers that were updated.'),
    created: z
      .array(
        z.object({
          subscriberId: z.string(),
        }),
      )
      .describe('Subscribers that were created.'),
    failed: z
      .array(
        z.object({
          subscriberId: z.string().optional(),
          message: z.string().optional(),
        }),
      )
      .describe('Failed items, with reasons.'),
  },
)

export const oauthAnswer: z.ZodType = named(
  'OauthAnswer',
  'The answer to an authorization request: the URL to send the browser to, or a page.',
  {
    location: z.string().optional().describe("The URL of the provider's page, if the API answers with a redirect."),
    url: z.string().optional().describe('The same URL, if the API answers with JSON.'),
    connected: z
      .boolean()
      .optional()
      .describe("Whether the provider's code was accepted, if the API answers with JSON."),
    body: z.string().optional().describe('The text of an HTML answer.'),
  },
)
