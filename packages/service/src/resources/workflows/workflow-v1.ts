import { z } from 'zod'
import { preferenceChannels } from '../channel.ts'
import { jsonRecord } from '../json-record.ts'
import { named } from '../named.ts'
import { workflowOrigin } from './workflow.ts'

export const workflowTrigger: z.ZodType = named(
  'WorkflowTrigger',
  'The trigger of a workflow, as runs and workflows list it.',
  {
    type: z.string().describe('`event`.'),
    identifier: z.string().describe("The workflow's identifier."),
    variables: z
      .array(
        z.object({
          name: z.string(),
        }),
      )
      .describe('The variables of the payload.'),
    subscriberVariables: z
      .array(
        z.object({
          name: z.string(),
        }),
      )
      .optional()
      .describe('The variables of the subscriber.'),
  },
)

export const workflowGroup: z.ZodType = named('WorkflowGroup', 'A group of workflows.', {
  _id: z.string().describe('The id, assigned by the service.'),
  name: z.string().describe('The display name.'),
  _environmentId: z.string().describe('The environment.'),
  _organizationId: z.string().describe('The organization.'),
  _parentId: z.string().optional().describe('The group it was copied from.'),
})

export const workflowV1: z.ZodType = named('WorkflowV1', 'A workflow (v1).', {
  _id: z.string().describe('The id, assigned by the service.'),
  name: z.string().describe('The display name.'),
  description: z.string().describe('The purpose.'),
  active: z.boolean().describe('Whether it is active.'),
  draft: z.boolean().describe('Whether it is a draft.'),
  preferenceSettings: preferenceChannels.describe("The channels' preferences."),
  critical: z.boolean().describe('Whether subscribers cannot opt out.'),
  tags: z.array(z.string()).describe('Tags.'),
  steps: z.array(jsonRecord).describe('The steps; their fields are not specified.'),
  triggers: z.array(workflowTrigger).describe('The events that start it.'),
  _organizationId: z.string().describe('The organization.'),
  _environmentId: z.string().describe('The environment.'),
  _creatorId: z.string().describe('Who created it.'),
  _notificationGroupId: z.string().describe('The group.'),
  _parentId: z.string().optional().describe('The workflow it was copied from.'),
  notificationGroup: workflowGroup.optional().describe('The group.'),
  data: jsonRecord.optional().describe('Custom data.'),
  workflowIntegrationStatus: jsonRecord
    .optional()
    .describe('Which channels have an integration; the fields are not specified.'),
  deleted: z.boolean().describe('Whether it has been deleted.'),
  deletedAt: z.string().optional().describe('When it was deleted.'),
  deletedBy: z.string().optional().describe('Who deleted it.'),
  payloadSchema: jsonRecord.optional().describe('The JSON schema of the payload.'),
  blueprintId: z.string().optional().describe('The blueprint it was created from.'),
  type: z.enum(['REGULAR', 'ECHO', 'BRIDGE']).optional().describe('The kind.'),
  origin: workflowOrigin.optional().describe('Where it is stored.'),
  warnings: z.array(jsonRecord).optional().describe('Discovery warnings; only in the answer of a sync.'),
  createdAt: z.string().optional().describe('When it was created.'),
  updatedAt: z.string().optional().describe('When it was last changed.'),
})

export const workflowOverride: z.ZodType = named('WorkflowOverride', 'The overrides of a workflow for one tenant.', {
  _id: z.string().describe('The id, assigned by the service.'),
  _organizationId: z.string().describe('The organization.'),
  _environmentId: z.string().describe('The environment.'),
  _workflowId: z.string().describe('The workflow.'),
  _tenantId: z.string().describe('The tenant.'),
  active: z.boolean().describe('Whether the workflow runs for the tenant.'),
  preferenceSettings: preferenceChannels.describe("The channels' preferences."),
  deleted: z.boolean().describe('Whether it has been deleted.'),
  deletedAt: z.string().optional().describe('When it was deleted.'),
  deletedBy: z.string().optional().describe('Who deleted it.'),
  createdAt: z.string().describe('When it was created.'),
  updatedAt: z.string().optional().describe('When it was last changed.'),
})
