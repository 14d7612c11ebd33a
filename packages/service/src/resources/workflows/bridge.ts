import { z } from 'zod'
import { severity } from '../channel.ts'
import { jsonRecord } from '../json-record.ts'
import { named } from '../named.ts'
import { workflowPreferences } from './workflow.ts'

export const schemaPair: z.ZodType = named(
  'SchemaPair',
  'The JSON schema of a value, and the schema as the author wrote it.',
  {
    schema: jsonRecord.optional().describe('The JSON schema.'),
    unknownSchema: jsonRecord.optional().describe('The schema as the author wrote it, if it can be shown.'),
  },
)

export const bridgeWorkflow: z.ZodType = named(
  'BridgeWorkflow',
  'A workflow as a bridge describes it; the listed fields are common to all bridges.',
  {
    workflowId: z.string().describe('The identifier.'),
    name: z.string().optional().describe('The display name.'),
    description: z.string().optional().describe('The purpose.'),
    severity: severity.optional().describe('The severity of its messages.'),
    steps: z
      .array(
        z.object({
          stepId: z.string(),
          type: z.string(),
          controls: schemaPair,
          outputs: schemaPair,
          results: schemaPair,
          code: z.string().optional(),
          options: jsonRecord.optional(),
          providers: z.array(jsonRecord).optional(),
        }),
      )
      .describe('The steps.'),
    code: z.string().optional().describe('The source of its function.'),
    payload: z
      .object({
        schema: jsonRecord.optional(),
      })
      .optional()
      .describe('The JSON schema of the payload.'),
    controls: z
      .object({
        schema: jsonRecord.optional(),
      })
      .optional()
      .describe('The JSON schema of the controls.'),
    env: z
      .object({
        schema: jsonRecord.optional(),
      })
      .optional()
      .describe('The JSON schema of the environment variables.'),
    preferences: workflowPreferences.optional().describe('The preferences.'),
    tags: z.array(z.string()).optional().describe('Tags.'),
  },
)

export const bridgeValidation: z.ZodType = named('BridgeValidation', 'Whether a URL is a bridge.', {
  isValid: z.boolean().describe('Whether it is.'),
  error: jsonRecord.optional().describe('The reason if not; the fields are not specified.'),
})

export const bridgeState: z.ZodType = named('BridgeState', "A snapshot of a bridge's workflows.", {
  workflows: z.array(bridgeWorkflow).describe('The workflows.'),
  bridgeUrl: z.string().optional().describe('The URL of the bridge.'),
})

export const bridgeDiff: z.ZodType = named(
  'BridgeDiff',
  "The difference between the stored workflows and a bridge's.",
  {
    current: bridgeState.describe('The stored state.'),
    new: bridgeState.describe('The state of the bridge.'),
  },
)

export const bridgeStatus: z.ZodType = named('BridgeStatus', 'The health of the stored bridge.', {
  status: z.enum(['ok', 'error']).describe('Whether it answers.'),
  sdkVersion: z.string().optional().describe("The version of its framework's package."),
  frameworkVersion: z.string().optional().describe('The version of the wire format.'),
  discovered: z
    .object({
      workflows: z.number(),
      steps: z.number(),
    })
    .optional()
    .describe('The number of workflows and steps.'),
})

export const bridgePreview: z.ZodType = named('BridgePreview', 'A step as the bridge rendered it.', {
  outputs: jsonRecord.describe('The outputs; their fields depend on the type of step.'),
  options: z
    .object({
      skip: z.boolean().optional(),
    })
    .optional()
    .describe('Whether the step would be skipped.'),
  metadata: z
    .object({
      status: z.string().optional(),
      error: z.boolean().optional(),
      duration: z.number().optional(),
    })
    .optional()
    .describe('The outcome of the execution.'),
  providers: jsonRecord.optional().describe('Overrides by provider.'),
})

export const stepControls: z.ZodType = named('StepControls', 'The stored control values of a step.', {
  controls: jsonRecord.describe('The values.'),
  checked: z.boolean().optional().describe('After saving: whether they were tested with the step on sample data.'),
})

export const controlVersion: z.ZodType = named('ControlVersion', 'Control values that were saved for a step.', {
  _id: z.string().describe('The id.'),
  controls: jsonRecord.describe('The values.'),
  by: z.string().nullable().describe('Who saved them; null for other operations of the API.'),
  createdAt: z.string().describe('When they were saved.'),
})
