import { z } from 'zod'
import { jsonRecord } from '../json-record.ts'
import { named } from '../named.ts'

export const triggerStatus: z.ZodType = named(
  'TriggerStatus',
  'The outcome of a trigger: `processed`, or why nothing runs.',
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

export const triggerResult: z.ZodType = named('TriggerResult', 'The answer to a trigger.', {
  acknowledged: z.boolean().describe('Whether the API took it.'),
  status: triggerStatus.describe('`processed`, or why nothing runs.'),
  error: z.array(z.string()).optional().describe('The errors, when there are any.'),
  transactionId: z.string().optional().describe("The run's id; `cancel` takes it."),
  activityFeedLink: z.string().optional().describe('Where the run can be watched.'),
  jobData: jsonRecord.optional().describe('The job of the run; its fields are not specified.'),
})
