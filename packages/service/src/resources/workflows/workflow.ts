import { stepTypes } from '@trestle/protocol'
import { z } from 'zod'
import { severity } from '../channel.ts'
import { jsonRecord } from '../json-record.ts'
import { named } from '../named.ts'

export const stepType: z.ZodType = named(
  'StepType',
  'A step type of a workflow stored in the service.',
  z.enum(stepTypes),
)

export const workflowOrigin: z.ZodType = named(
  'WorkflowOrigin',
  'Where a workflow is stored: in the service, in API v1, or in a bridge.',
  z.enum(['novu-cloud', 'novu-cloud-v1', 'external']),
)

export const workflowStatus: z.ZodType = named(
  'WorkflowStatus',
  'The status of a workflow.',
  z.enum(['ACTIVE', 'INACTIVE', 'ERROR']),
)

export const workflowPreferences: z.ZodType = named('WorkflowPreferences', 'Whether messages are sent by default.', {
  all: z
    .object({
      enabled: z.boolean().optional(),
      readOnly: z.boolean().optional(),
    })
    .optional()
    .describe('For all channels.'),
  channels: z
    .record(
      z.string(),
      z.object({
        enabled: z.boolean().optional(),
      }),
    )
    .optional()
    .describe('By channel.'),
})

export const workflowPreferencesPair: z.ZodType = named(
  'WorkflowPreferencesPair',
  'The preferences of a workflow: those of its author, and later changes.',
  {
    default: workflowPreferences.describe('Preferences of the author.'),
    user: workflowPreferences.nullable().optional().describe('Later changes.'),
  },
)

export const step: z.ZodType = named('Step', 'A step of a workflow stored in the service.', {
  _id: z.string().describe('The id, assigned by the service.'),
  stepId: z.string().describe('Its identifier within the workflow.'),
  name: z.string().describe('The display name.'),
  slug: z.string().describe('The slug, for URLs.'),
  type: stepType.describe('The type.'),
  origin: workflowOrigin.describe('Where it is stored.'),
  workflowId: z.string().describe("The workflow's identifier."),
  workflowDatabaseId: z.string().describe('The id of the workflow, assigned by the service.'),
  controls: z
    .object({
      values: jsonRecord,
      dataSchema: jsonRecord.optional(),
      uiSchema: jsonRecord.optional(),
    })
    .describe('The controls: values, the JSON schema they follow, and how they are shown.'),
  variables: jsonRecord.describe('The JSON schema of the variables that may be used.'),
  controlValues: jsonRecord.optional().describe('The stored values of the controls.'),
  issues: jsonRecord.optional().describe('The issues found in it; their fields are not specified.'),
  conditional: z.boolean().optional().describe('Whether the step does not always run.'),
  parallelGroup: z.number().nullable().optional().describe('Steps with the same number run in parallel.'),
  providerOverrides: jsonRecord.optional().describe('Overrides by provider.'),
  stepResolverHash: z.string().optional().describe('The hash of its code, if a bridge executes it.'),
})

const workflowBaseFields = {
  _id: z.string().describe('The id, assigned by the service.'),
  workflowId: z.string().describe('The identifier.'),
  slug: z.string().describe('The slug, for URLs.'),
  name: z.string().describe('The display name.'),
  origin: workflowOrigin.describe('Where it is stored.'),
  status: workflowStatus.describe('The status.'),
  tags: z.array(z.string()).optional().describe('Tags.'),
  createdAt: z.string().describe('When it was created.'),
  updatedAt: z.string().describe('When it was last changed.'),
  updatedBy: jsonRecord.optional().describe('Who changed it last; the fields are not specified.'),
  lastPublishedAt: z.string().optional().describe('When it was last published.'),
  lastPublishedBy: jsonRecord.optional().describe('Who published it last; the fields are not specified.'),
  lastTriggeredAt: z.string().nullable().optional().describe('When it was last triggered.'),
  isTranslationEnabled: z.boolean().optional().describe('A mark without effect: every `{{ t.key }}` is translated.'),
}

export const workflow: z.ZodType = named('Workflow', 'A workflow stored in the service.', {
  ...workflowBaseFields,
  steps: z.array(step).describe('The steps.'),
  severity: severity.describe('The severity of its messages.'),
  preferences: workflowPreferencesPair.describe('The preferences.'),
  description: z.string().optional().describe('The purpose.'),
  active: z.boolean().optional().describe('Whether it is active.'),
  validatePayload: z.boolean().optional().describe('Whether payloads are validated against the schema.'),
  payloadSchema: jsonRecord.nullable().optional().describe('The JSON schema of the payload.'),
  payloadExample: jsonRecord.nullable().optional().describe('An example of the payload.'),
  stepTypeOverviews: z.array(z.string()).optional().describe('The types of its steps.'),
  warnings: z
    .array(
      z.object({
        code: z.string(),
        stepId: z.string().optional(),
        message: z.string(),
        count: z.number(),
        updatedAt: z.string(),
      }),
    )
    .optional()
    .describe('Warnings from runs and discovery, with counts.'),
  agent: jsonRecord.optional().describe('The agent it calls; the fields are not specified.'),
  issues: jsonRecord.optional().describe('The issues found in it; their fields are not specified.'),
})

export const workflowItem: z.ZodType = named('WorkflowItem', 'A workflow as lists return it.', {
  ...workflowBaseFields,
  stepTypeOverviews: z.array(z.string()).describe('The types of its steps.'),
  steps: z
    .array(
      z.object({
        slug: z.string(),
        stepId: z.string().optional(),
        name: z.string().optional(),
        type: stepType,
        issues: jsonRecord.optional(),
      }),
    )
    .describe('The steps.'),
})

export const workflowList: z.ZodType = named('WorkflowList', 'A list of workflows.', {
  workflows: z.array(workflowItem).describe('The workflows.'),
  totalCount: z.number().describe('Number of workflows that match.'),
})
