import { z } from 'zod'
import { jsonRecord } from '../json-record.ts'
import { named } from '../named.ts'

export const triggerStatus: z.ZodType = named(
  'TriggerStatus',
  'The outcome of a trigger: `processed`, or why no run started.',
  z.enum([
    'processed',
    'error',
    'trigger_not_active',
    'no_workflow_steps_defined',
    'no_workflow_active_steps_defined',
    'no_tenant_found',
    'invalid_recipients',
  ]),
)

export const triggerResult: z.ZodType = named('TriggerResult', 'The result of a trigger.', {
  acknowledged: z.boolean().describe('Whether the API accepted it.'),
  status: triggerStatus.describe('`processed`, or why no run started.'),
  error: z.array(z.string()).optional().describe('The errors, if any.'),
  transactionId: z.string().optional().describe('The transaction id, for `cancel`.'),
  activityFeedLink: z.string().optional().describe('The URL of the run in the studio.'),
  jobData: jsonRecord.optional().describe('The job of the run; its fields are not specified.'),
})

export const emitResult: z.ZodType = named('EmitResult', 'The result of an emitted event.', {
  acknowledged: z.boolean().describe('Whether the API accepted it.'),
  eventId: z.string().describe('The id of the event.'),
})
