import { z } from 'zod'
import { jsonRecord } from '../json-record.ts'
import { named } from '../named.ts'

export const stepManifest: z.ZodType = named('StepManifest', 'A step, as discovery found it.', {
  stepId: z.string().describe('Identifier within its workflow.'),
  type: z.string().describe('Kind of the step, such as `email`.'),
  conditional: z.boolean().optional().describe('Whether discovery saw that the step does not always run.'),
  parallelGroup: z.union([z.number(), z.string()]).optional().describe('Steps with one number run side by side.'),
  controls: z
    .object({
      schema: jsonRecord.optional(),
    })
    .optional()
    .describe('Values an editor may change, with the schema.'),
  outputs: z
    .object({
      schema: jsonRecord.optional(),
    })
    .optional()
    .describe("What the step's resolver returns."),
  options: jsonRecord.optional().describe('Options of the step.'),
  providers: z.array(jsonRecord).optional().describe('Overrides of providers, with their schemas.'),
  results: z
    .object({
      schema: jsonRecord.optional(),
    })
    .optional()
    .describe('What later steps see of it.'),
})

export const warning: z.ZodType = named('Warning', 'What discovery says about one thing that could be better.', {
  code: z.string().optional().describe('Stable code.'),
  message: z.string().describe('What was found, and what to do.'),
  stepId: z.string().optional().describe('The step it stands at.'),
})

export const workflowManifest: z.ZodType = named('WorkflowManifest', 'A workflow, as discovery found it.', {
  _id: z.string().describe("The service's id."),
  active: z.boolean().describe('Whether it runs.'),
  workflowId: z.string().describe('Identifier in the environment.'),
  name: z.string().optional().describe('Name for people.'),
  description: z.string().optional().describe('What the workflow is for.'),
  steps: z.array(stepManifest).describe('Its steps in their order.'),
  payload: z
    .object({
      schema: jsonRecord.optional(),
    })
    .optional()
    .describe('What a trigger has to bring.'),
  controls: z.object({ schema: jsonRecord.optional() }).optional().describe('Control values of the workflow.'),
  env: z.object({ schema: jsonRecord.optional() }).optional().describe('The environment variables it reads.'),
  preferences: jsonRecord.optional().describe('Whether and where it is sent unless someone chose otherwise.'),
  tags: z.array(z.string()).optional().describe('Words to group workflows by.'),
  severity: z.string().optional().describe('How much it matters to the recipient.'),
  warnings: z
    .array(z.union([warning, z.string()]))
    .optional()
    .describe('What discovery says about it.'),
})

export const problem: z.ZodType = named(
  'Problem',
  'Something that is wrong and keeps a workflow or step from its work.',
  {
    workflowId: z.string().optional().describe('The workflow it stands at.'),
    stepId: z.string().optional().describe('The step it stands at.'),
    code: z.string().describe('Stable code, which has a page.'),
    message: z.string().describe('What is wrong.'),
  },
)

export const studioBridge: z.ZodType = named('StudioBridge', "What the service knows of the environment's bridge.", {
  url: z.string().nullable().describe('Address of the bridge, where one was synced.'),
  status: z.enum(['ok', 'unreachable', 'refused', 'never-synced']).describe('Whether it answered.'),
  lastSync: z
    .object({
      url: z.string().describe('The address.'),
      at: z.string().nullable().describe('When it was, or null before the first.'),
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
  workflows: z.array(workflowManifest).describe('What discovery found.'),
  problems: z.array(problem).describe('What is wrong.'),
})
