import { z } from 'zod'
import { channelType } from './channel.ts'
import { jsonRecord } from './json-record.ts'
import { named } from './named.ts'

export const integration: z.ZodType = named('Integration', 'A configured delivery provider.', {
  _id: z.string().describe('The id, assigned by the service.'),
  _environmentId: z.string().describe('The environment.'),
  _organizationId: z.string().describe('The organization.'),
  name: z.string().describe('The display name.'),
  identifier: z.string().describe('The identifier.'),
  providerId: z.string().describe('The provider.'),
  channel: channelType.optional().describe('The channel.'),
  kind: z.enum(['delivery', 'agent']).optional().describe('Whether it delivers messages or serves an agent.'),
  credentials: jsonRecord.optional().describe('The credentials, masked; their fields depend on the provider.'),
  configurations: jsonRecord.optional().describe('Settings; their fields depend on the provider.'),
  reportsUrl: z.string().optional().describe('The URL that receives the delivery reports from the provider.'),
  active: z.boolean().describe('Whether it is active.'),
  primary: z.boolean().describe('Whether it is the primary integration of its channel.'),
  conditions: z.array(jsonRecord).optional().describe('Conditions for using it; their fields are not specified.'),
  priority: z.number().optional().describe('Its priority among the integrations of its channel.'),
  createdAt: z.string().optional().describe('When it was created.'),
  updatedAt: z.string().optional().describe('When it was last changed.'),
  deleted: z.boolean().describe('Whether it has been deleted.'),
  deletedAt: z.string().optional().describe('When it was deleted.'),
  deletedBy: z.string().optional().describe('Who deleted it.'),
})

export const layout: z.ZodType = named('Layout', 'A wrapper of email content.', {
  _id: z.string().describe('The id, assigned by the service.'),
  layoutId: z.string().describe('The identifier.'),
  slug: z.string().describe('The slug, for URLs.'),
  name: z.string().describe('The display name.'),
  isDefault: z.boolean().describe('Whether emails without a layout use it.'),
  isTranslationEnabled: z.boolean().describe('A mark without effect: every `{{ t.key }}` is translated.'),
  origin: z.string().describe('Where it is stored.'),
  type: z.enum(['REGULAR', 'ECHO', 'BRIDGE']).describe('The kind.'),
  controls: z
    .object({
      values: z.object({
        email: z
          .object({
            body: z.string(),
            editorType: z.enum(['html', 'block']),
          })
          .optional(),
      }),
      dataSchema: jsonRecord.optional(),
      uiSchema: jsonRecord.optional(),
    })
    .describe('The content.'),
  variables: jsonRecord.optional().describe('The JSON schema of the variables that may be used.'),
  createdAt: z.string().describe('When it was created.'),
  updatedAt: z.string().describe('When it was last changed.'),
})

export const layoutList: z.ZodType = named('LayoutList', 'A list of layouts.', {
  layouts: z.array(layout).describe('The layouts.'),
  totalCount: z.number().describe('Number of layouts that match.'),
})

export const usage: z.ZodType = named('Usage', 'The workflows that use a layout.', {
  workflows: z
    .array(
      z.object({
        name: z.string(),
        workflowId: z.string(),
      }),
    )
    .describe('The workflows.'),
})

export const layoutV1: z.ZodType = named('LayoutV1', 'A layout (v1).', {
  _id: z.string().describe('The id, assigned by the service.'),
  _organizationId: z.string().describe('The organization.'),
  _environmentId: z.string().describe('The environment.'),
  _creatorId: z.string().describe('Who created it.'),
  _parentId: z.string().optional().describe('The layout it was copied from.'),
  name: z.string().describe('The display name.'),
  identifier: z.string().describe('The identifier.'),
  description: z.string().optional().describe('The purpose.'),
  channel: channelType.describe('The channel.'),
  content: z.string().describe('The content.'),
  contentType: z.string().describe('The kind of content.'),
  variables: z.array(jsonRecord).optional().describe('The variables of the content; their fields are not specified.'),
  isDefault: z.boolean().describe('Whether emails without a layout use it.'),
  isDeleted: z.boolean().describe('Whether it has been deleted.'),
  createdAt: z.string().optional().describe('When it was created.'),
  updatedAt: z.string().optional().describe('When it was last changed.'),
})
