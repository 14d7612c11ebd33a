import { z } from 'zod'
import { channelType } from './channel.ts'
import { named } from './named.ts'

const credentialField: z.ZodType = named('CredentialField', 'A credential that a provider takes.', {
  name: z.string().describe('Its name in the credentials.'),
  label: z.string().describe('Its label in a form.'),
  hint: z.string().optional().describe('What to enter.'),
  kind: z.enum(['text', 'number', 'switch', 'multiline']).optional().describe('The input; text by default.'),
  secret: z.boolean().optional().describe('Whether the input must be hidden.'),
  required: z.boolean().describe('Whether sending requires it.'),
})

export const provider: z.ZodType = named('Provider', 'A provider that an integration can use.', {
  providerId: z.string().describe('The identifier.'),
  name: z.string().describe('The display name.'),
  channel: channelType.describe('The channel it delivers.'),
  fields: z.array(credentialField).describe('The credentials, required ones first.'),
})

export const integrationTest: z.ZodType = named('IntegrationTest', 'The result of a test message.', {
  ok: z.boolean().describe('Whether the provider accepted the message.'),
  providerMessageId: z.string().nullable().optional().describe("The provider's id for the message."),
  code: z.string().optional().describe('A short code of the failure.'),
  message: z.string().optional().describe('Why it was not sent.'),
})
