import { messageTypes } from '@trestle/protocol'
import { z } from 'zod'
import { severities } from '../messages/severities.ts'
import { named } from './named.ts'

export const channelType: z.ZodType = named('ChannelType', 'A kind of message.', z.enum(messageTypes))

export const preferenceChannels: z.ZodType = named(
  'PreferenceChannels',
  'Whether each channel is enabled.',
  Object.fromEntries(messageTypes.map((type) => [type, z.boolean().optional()])),
)

export const severity: z.ZodType<(typeof severities)[number]> = named(
  'Severity',
  "The severity of a workflow's messages.",
  z.enum(severities, 'must be none, low, medium or high'),
)

export const channelCredentials: z.ZodType = named(
  'ChannelCredentials',
  'Credentials of a channel; which ones apply depends on the provider.',
  {
    webhookUrl: z.string().optional().describe('Webhook URL of a chat.'),
    channel: z.string().optional().describe('Name of a channel.'),
    deviceTokens: z.array(z.string()).optional().describe('Device tokens.'),
    alertUid: z.string().optional().describe('Identifier of an alert.'),
    title: z.string().optional().describe('Title of an alert.'),
    imageUrl: z.string().optional().describe('Picture of an alert.'),
    state: z.string().optional().describe('State of an alert.'),
    externalUrl: z.string().optional().describe('Link of an alert.'),
  },
)

export const channel: z.ZodType = named('Channel', 'A channel of a subscriber.', {
  providerId: z.string().describe('The provider.'),
  integrationIdentifier: z.string().optional().describe('The identifier of the integration.'),
  credentials: channelCredentials.describe('The credentials the provider needs.'),
  _integrationId: z.string().optional().describe("The integration's id."),
})
