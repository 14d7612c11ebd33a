import type { z } from 'zod'
import { jsonRecord } from '../json-record.ts'
import { named } from '../named.ts'

export const previewPayload: z.ZodType = named('PreviewPayload', 'The data of a preview.', {
  subscriber: jsonRecord.optional().describe('The recipient.'),
  actor: jsonRecord.optional().describe('Who caused the notification.'),
  payload: jsonRecord.optional().describe('The payload of the trigger.'),
  steps: jsonRecord.optional().describe('Results of earlier steps, by step id.'),
  context: jsonRecord.optional().describe('The contexts.'),
  env: jsonRecord.optional().describe('Environment variables.'),
})

export const preview: z.ZodType = named('Preview', 'A rendered preview.', {
  previewPayloadExample: previewPayload.describe('An example of the data.'),
  schema: jsonRecord.nullable().optional().describe('The JSON schema of the example.'),
  result: jsonRecord.describe('The rendered content; its fields depend on the type of step and are not specified.'),
})
