import { z } from 'zod'
import { preferenceChannels } from '../channel.ts'
import { jsonRecord } from '../json-record.ts'
import { named } from '../named.ts'

const variables = z.array(z.object({ name: z.string(), type: z.string() }))

export const blueprint: z.ZodType = named('Blueprint', 'A ready-made workflow.', {
  _id: z.string().describe('The id, assigned by the service.'),
  name: z.string().describe('The display name.'),
  description: z.string().describe('The purpose.'),
  active: z.boolean().describe('Whether it is active; always false for a blueprint.'),
  draft: z.boolean().describe('Whether it is a draft.'),
  critical: z.boolean().describe('Whether subscribers cannot opt out.'),
  isBlueprint: z.boolean().describe('Marks a blueprint.'),
  blueprintId: z.string().describe('Its id, to create a workflow from it.'),
  tags: z.array(z.string()).describe('Tags.'),
  preferenceSettings: preferenceChannels.describe("The channels' preferences."),
  payloadSchema: jsonRecord.describe('The JSON schema of the payload.'),
  steps: z
    .array(
      z.object({
        _id: z.string(),
        stepId: z.string(),
        name: z.string(),
        type: z.string(),
        active: z.boolean(),
        filters: z.array(jsonRecord),
        template: z.object({ type: z.string(), name: z.string() }),
        controlValues: jsonRecord,
      }),
    )
    .describe('The steps, in order.'),
  triggers: z
    .array(z.object({ type: z.string(), identifier: z.string(), variables, subscriberVariables: z.array(jsonRecord) }))
    .describe('The events that start it.'),
  notificationGroup: z.object({ name: z.string() }).describe('The group.'),
  _organizationId: z.string().describe('The organization.'),
  _environmentId: z.string().describe('The environment.'),
  _creatorId: z.string().describe('Who created it.'),
  _notificationGroupId: z.string().describe('The id of the group; empty, because blueprints have none.'),
  deleted: z.boolean().describe('Whether it has been deleted.'),
})

const group = z.object({ name: z.string(), blueprints: z.array(blueprint) })

export const blueprintGroups: z.ZodType = named('BlueprintGroups', 'The ready-made workflows by category.', {
  general: z.array(group).describe('General blueprints.'),
  popular: group.describe('Popular blueprints.'),
})
