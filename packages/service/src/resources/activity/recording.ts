import { z } from 'zod'
import { jsonRecord } from '../json-record.ts'
import { named } from '../named.ts'
import { jobType } from './notification.ts'

export const recordedReply: z.ZodType = named('RecordedReply', 'The reply of a bridge to a step call.', {
  outputs: jsonRecord.describe('The outputs.'),
  providers: jsonRecord.describe('The overrides by provider.'),
  skip: z.boolean().describe('Whether the step skipped itself.'),
})

export const recordedStep: z.ZodType = named('RecordedStep', 'A step of a recorded run.', {
  stepId: z.string().describe('The step id.'),
  type: jobType.describe('The type of step.'),
  status: z.string().describe('The status, such as `completed`, `skipped` or `failed`.'),
  reached: z.boolean().describe('Whether the run called the step.'),
  order: z
    .number()
    .nullable()
    .describe('A number that increases in the order in which the steps ended; null if the step did not end.'),
  result: jsonRecord.nullable().describe('The result for later steps.'),
  error: z.unknown().describe('Why it failed; null if it did not.'),
  reply: recordedReply.nullable().describe('The last successful reply of the bridge; null if there was none.'),
})

export const recordedInboxState: z.ZodType = named(
  'RecordedInboxState',
  'The state of an in-app message, as known to its run.',
  {
    results: z.number().describe('The number of results that the run had at that time.'),
    stepId: z.string().describe('The step of the message.'),
    outputs: jsonRecord.describe('Whether the message was seen and read.'),
  },
)

export const runRecording: z.ZodType = named(
  'RunRecording',
  'The events and replies of the bridge in a run. Secrets are masked.',
  {
    _id: z.string().describe('The id of the run.'),
    workflowId: z.string().describe("The workflow's identifier."),
    transactionId: z.string().describe("The run's transaction."),
    status: z.enum(['running', 'completed', 'failed', 'merged', 'canceled']).describe('The status of the run.'),
    createdAt: z.string().describe('When it was created.'),
    runDriven: z.boolean().describe('Whether the bridge decided the steps. Otherwise they were planned from its list.'),
    complete: z.boolean().describe('Whether every bridge call is included.'),
    event: z
      .object({
        payload: jsonRecord,
        subscriber: jsonRecord,
        context: jsonRecord,
        env: jsonRecord,
        actor: jsonRecord.optional(),
      })
      .nullable()
      .describe('The event of the first call; null if no call is stored.'),
    stepControls: z.record(z.string(), jsonRecord).describe('Saved control values by step id.'),
    steps: z.array(recordedStep).describe('The steps, in the order in which they were created.'),
    inboxStates: z.array(recordedInboxState).describe('Changes to in-app messages, in order.'),
    error: z.unknown().describe('Why the bridge failed to name the next step; null if it did not.'),
  },
)
