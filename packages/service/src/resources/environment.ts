import { z } from 'zod'
import { jsonRecord } from './json-record.ts'
import { named } from './named.ts'

export const feed: z.ZodType = named('Feed', 'A feed of in-app messages.', {
  _id: z.string().describe('The id, assigned by the service.'),
  name: z.string().describe('The display name.'),
  identifier: z.string().describe('The identifier.'),
  _environmentId: z.string().describe('The environment.'),
  _organizationId: z.string().describe('The organization.'),
})

export const variableValue: z.ZodType = named('VariableValue', 'The value of a variable in one environment.', {
  _environmentId: z.string().describe('The environment.'),
  value: z.string().describe('The value, at most 256 characters; a secret value is masked when read.'),
})

export const environmentVariable: z.ZodType = named(
  'EnvironmentVariable',
  'A variable whose value differs by environment.',
  {
    _id: z.string().describe('The id, assigned by the service.'),
    _organizationId: z.string().describe('The organization.'),
    key: z.string().describe('The key.'),
    type: z.string().describe('The kind of value.'),
    isSecret: z.boolean().describe('Whether the value is masked when read.'),
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
  _id: z.string().describe('The id, assigned by the service.'),
  name: z.string().describe('The display name.'),
  _organizationId: z.string().describe('The organization.'),
  identifier: z.string().describe('The application identifier, which is public.'),
  _parentId: z.string().nullable().optional().describe('The environment from which changes are promoted.'),
  apiKeys: z.array(apiKey).optional().describe('The secret keys, if the caller may see them.'),
  type: z.string().optional().describe('The type of environment, such as `dev` or `prod`.'),
  slug: z.string().optional().describe('The slug, for URLs.'),
  color: z.string().optional().describe('Display color.'),
  bridge: z.object({ url: z.string() }).optional().describe('The bridge; only for the environment of the key.'),
  dns: jsonRecord.optional().describe('Settings of inbound mail; only for the environment of the key.'),
  inbox: z
    .object({
      origins: z.array(z.string()).optional(),
      requireHash: z.boolean().optional(),
      topics: z.array(z.string()).optional(),
    })
    .optional()
    .describe('Settings for web pages that use the inbox; only for the environment of the key.'),
  createdAt: z.string().optional().describe('When it was created.'),
  updatedAt: z.string().optional().describe('When it was last changed.'),
})

export const tenant: z.ZodType = named('Tenant', 'A tenant.', {
  _id: z.string().describe('The id, assigned by the service.'),
  identifier: z.string().describe('The identifier.'),
  name: z.string().optional().describe('The display name.'),
  data: jsonRecord.optional().describe('Custom data.'),
  _environmentId: z.string().describe('The environment.'),
  createdAt: z.string().describe('When it was created.'),
  updatedAt: z.string().describe('When it was last changed.'),
})
