import { z } from 'zod'
import { jsonRecord } from '../json-record.ts'
import { named } from '../named.ts'

export const stepPreview: z.ZodType = named('StepPreview', 'A step rendered on sample data, as it would be sent.', {
  ok: z.boolean().describe('Whether the bridge rendered it.'),
  error: z
    .object({ code: z.string(), message: z.string(), data: z.unknown(), status: z.number() })
    .optional()
    .describe('Why it did not.'),
  outputs: jsonRecord.optional().describe('The outputs of the step.'),
  providers: jsonRecord.optional().describe('Overrides by provider.'),
  options: z.object({ skip: z.boolean().optional() }).optional().describe('Whether it would be skipped.'),
  message: jsonRecord.nullable().optional().describe('The email, as it would be sent.'),
  warnings: z.array(z.unknown()).optional().describe('Warnings.'),
  removed: z.array(z.unknown()).optional().describe('Parts removed from its HTML.'),
  durationMs: z.number().optional().describe('The duration of the bridge call, in milliseconds.'),
})

const issue = z.object({
  path: z.string().describe('JSON pointer of the value.'),
  message: z.string().describe('The problem, in a sentence.'),
  line: z.number().optional().describe('The line of the template.'),
  column: z.number().optional().describe('The column of the template.'),
})

export const controlsCheck: z.ZodType = named('ControlsCheck', 'Whether control values are valid for a step.', {
  ok: z.boolean().describe('Whether they are valid.'),
  issues: z.array(issue).describe('Their problems.'),
})
