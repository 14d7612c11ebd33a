import { z } from 'zod'
import { jsonRecord } from './json-record.ts'
import { named } from './named.ts'

export const feed: z.ZodType = named('Feed', 'A feed of in-app messages.', {
  _id: z.string().describe("The service's id."),
  name: z.string().describe('Name for people.'),
  identifier: z.string().describe('The identifier.'),
  _environmentId: z.string().describe('The environment.'),
  _organizationId: z.string().describe('The organization.'),
})

export const variableValue: z.ZodType = named('VariableValue', 'The value of a variable in one environment.', {
  _environmentId: z.string().describe('The environment.'),
  value: z.string().describe('The value, at most 256 characters; masked when it is secret and read.'),
})

export const environmentVariable: z.ZodType = named(
  'EnvironmentVariable',
  'A variable whose value differs by environment.',
  {
    _id: z.string().describe("The service's id."),
    _organizationId: z.string().describe('The organization.'),
    key: z.string().describe('The key.'),
    type: z.string().describe('The kind of value.'),
    isSecret: z.boolean().describe('Whether the value is masked when it is read.'),
    values: z.array(variableValue).describe('One value per environment.'),
    createdAt: z.string().describe('When it was created.'),
    updatedAt: z.string().describe('When it was last changed.'),
  },
)

export const apiKey: z.ZodType = named('ApiKey', 'A secret key of an environment.', {
  key: z.string().describe('The key.'),
  _userId: z.string().describe('Who created it.'),
  hash: z.string().optional().describe('Its hash.'),
  createdAt: z.string().optional().describe('When it was created.'),
})

export const environment: z.ZodType = named('Environment', 'An environment of the organization.', {
  _id: z.string().describe("The service's id."),
  name: z.string().describe('Name for people.'),
  _organizationId: z.string().describe('The organization.'),
  identifier: z.string().describe('The application identifier, which is public.'),
  _parentId: z.string().nullable().optional().describe('The environment changes are promoted from.'),
  apiKeys: z.array(apiKey).optional().describe('The secret keys, where the caller may see them.'),
  type: z.string().optional().describe('The kind of environment, such as `dev` or `prod`.'),
  slug: z.string().optional().describe('Identifier for addresses.'),
  color: z.string().optional().describe('Color for people.'),
  bridge: z.object({ url: z.string() }).optional().describe('The bridge, of the environment of the key only.'),
  dns: jsonRecord.optional().describe('Settings of inbound mail, of the environment of the key only.'),
  inbox: z
    .object({
      origins: z.array(z.string()).optional(),
      requireHash: z.boolean().optional(),
      topics: z.array(z.string()).optional(),
    })
    .optional()
    .describe('How web pages may use the inbox, of the environment of the key only.'),
  createdAt: z.string().optional().describe('When it was created.'),
  updatedAt: z.string().optional().describe('When it was last changed.'),
})

export const tenant: z.ZodType = named('Tenant', 'A tenant of the customer.', {
  _id: z.string().describe("The service's id."),
  identifier: z.string().describe('The identifier.'),
  name: z.string().optional().describe('Name for people.'),
  data: jsonRecord.optional().describe('Free fields.'),
  _environmentId: z.string().describe('The environment.'),
  createdAt: z.string().describe('When it was created.'),
  updatedAt: z.string().describe('When it was last changed.'),
})
