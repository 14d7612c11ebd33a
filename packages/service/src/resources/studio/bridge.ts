import { z } from 'zod'
import { jsonRecord } from '../json-record.ts'
import { named } from '../named.ts'

export const stepManifest: z.ZodType = named('StepManifest', 'A discovered step.', {
  stepId: z.string().describe('The identifier within its workflow.'),
  type: z.string().describe('The type of step, such as `email`.'),
  conditional: z.boolean().optional().describe('Whether discovery found that the step does not always run.'),
  parallelGroup: z.union([z.number(), z.string()]).optional().describe('Steps with the same number run in parallel.'),
  controls: z
    .object({
      schema: jsonRecord.optional(),
    })
    .optional()
    .describe('Editable values, with their schema.'),
  outputs: z
    .object({
      schema: jsonRecord.optional(),
    })
    .optional()
    .describe("The schema of the resolver's result."),
  options: jsonRecord.optional().describe('Options of the step.'),
  providers: z.array(jsonRecord).optional().describe('Provider overrides, with their schemas.'),
  results: z
    .object({
      schema: jsonRecord.optional(),
    })
    .optional()
    .describe('The result that later steps can read.'),
})

export const warning: z.ZodType = named('Warning', 'A discovery warning.', {
  code: z.string().optional().describe('A stable code.'),
  message: z.string().describe('The problem and how to fix it.'),
  stepId: z.string().optional().describe('The affected step.'),
})

export const workflowManifest: z.ZodType = named('WorkflowManifest', 'A discovered workflow.', {
  _id: z.string().describe('The id, assigned by the service.'),
  active: z.boolean().describe('Whether it is active.'),
  isStored: z.boolean().describe('Whether it was stored through the API, as opposed to discovered.'),
  workflowId: z.string().describe('The identifier in the environment.'),
  name: z.string().optional().describe('The display name.'),
  description: z.string().optional().describe('The purpose of the workflow.'),
  steps: z.array(stepManifest).describe('The steps, in order.'),
  payload: z
    .object({
      schema: jsonRecord.optional(),
    })
    .optional()
    .describe('The schema of the trigger payload.'),
  controls: z.object({ schema: jsonRecord.optional() }).optional().describe('Control values of the workflow.'),
  env: z.object({ schema: jsonRecord.optional() }).optional().describe('The schema of its environment variables.'),
  preferences: jsonRecord.optional().describe('The default preferences.'),
  tags: z.array(z.string()).optional().describe('Tags to group workflows by.'),
  severity: z.string().optional().describe('The severity of its messages.'),
  warnings: z
    .array(z.union([warning, z.string()]))
    .optional()
    .describe('Discovery warnings.'),
})

export const problem: z.ZodType = named('Problem', 'A problem that prevents a workflow or step from running.', {
  workflowId: z.string().optional().describe('The affected workflow.'),
  stepId: z.string().optional().describe('The affected step.'),
  code: z.string().describe('A stable code with a documentation page.'),
  message: z.string().describe('The problem, in a sentence.'),
})

export const studioBridge: z.ZodType = named('StudioBridge', "The status of the environment's bridge.", {
  url: z.string().nullable().describe('The URL of the bridge, if one was synced.'),
  status: z.enum(['ok', 'unreachable', 'refused', 'never-synced']).describe('The status of the last sync.'),
  lastSync: z
    .object({
      url: z.string().describe('The address.'),
      at: z.string().nullable().describe('When it ran; null before the first sync.'),
      error: z
        .object({
          code: z.string(),
          message: z.string(),
          data: z.unknown().optional(),
        })
        .nullable()
        .describe('Why it failed.'),
    })
    .nullable()
    .describe('The last sync.'),
  workflows: z.array(workflowManifest).describe('The discovered workflows, and those stored through the API.'),
  problems: z.array(problem).describe('The problem, in a sentence.'),
})
