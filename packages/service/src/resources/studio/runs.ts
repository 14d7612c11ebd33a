import { z } from 'zod'
import { message } from '../activity/message.ts'
import { severity } from '../channel.ts'
import { jsonRecord } from '../json-record.ts'
import { named } from '../named.ts'

export const runStatus: z.ZodType = named(
  'RunStatus',
  'How a run stands.',
  z.enum(['running', 'completed', 'failed', 'merged', 'canceled']),
)

export const stepStatus: z.ZodType = named(
  'StepStatus',
  'How a step stands.',
  z.enum(['pending', 'queued', 'running', 'delayed', 'completed', 'failed', 'canceled', 'merged', 'skipped']),
)

const runStepFields = {
  _id: z.string().describe('Row id.'),
  stepId: z.string().describe("The step's own identifier."),
  type: z.string().describe('The kind of step.'),
  status: stepStatus.describe('How it stands.'),
  parallelGroup: z.number().nullable().describe('Steps with the same number run in parallel.'),
  wave: z.number().describe('Steps of one wave run side by side.'),
  dueAt: z.string().nullable().describe('When its wait ends.'),
}

export const runStep: z.ZodType = named('RunStep', 'A step of a run, as a list has it.', runStepFields)

const runLineFields = {
  _id: z.string().describe('Row id.'),
  workflowId: z.string().describe("The workflow's identifier."),
  workflowName: z.string().describe("The workflow's name."),
  transactionId: z.string().describe("The run's transaction."),
  subscriberId: z.string().describe("The recipient's identifier."),
  status: runStatus.describe('How it stands.'),
  createdAt: z.string().describe('When it began.'),
  updatedAt: z.string().describe('When it last changed.'),
  finishedAt: z.string().nullable().describe('When its last step ended.'),
  steps: z.array(runStep).describe('Its steps in their order.'),
}

export const runLine: z.ZodType = named('RunLine', 'A run, as a list has it.', runLineFields)

export const stepError: z.ZodType = named('StepError', 'Why a step failed.', {
  code: z.string().optional().describe('Stable code.'),
  message: z.string().optional().describe('What is wrong.'),
  status: z.number().optional().describe('HTTP status of the failure.'),
  data: z.unknown().optional().describe('Details whose shape the code decides.'),
})

export const wholeStep: z.ZodType = named('WholeStep', 'A step of a run with all there is of it.', {
  ...runStepFields,
  providerId: z.string().nullable().describe('The provider that its message went to.'),
  mergedIntoId: z.string().nullable().describe('The step whose digest took this one in.'),
  createdAt: z.string().nullable().describe('When it was created.'),
  updatedAt: z.string().nullable().describe('When it last changed.'),
  stage: z.string().nullable().describe('`sending` while its messages are on their way to providers.'),
  outputs: jsonRecord.nullable().describe('What the bridge answered.'),
  result: jsonRecord.nullable().describe('What later steps see of it.'),
  error: stepError.nullable().describe('Why it failed.'),
  calledAt: z.string().nullable().describe('When the bridge was asked.'),
  endedAt: z.string().nullable().describe('When it ended.'),
})

export const runDetail: z.ZodType = named('RunDetail', 'One thing that happened in a run.', {
  _id: z.string().describe('Row id.'),
  _jobId: z.string().nullable().describe('The step; null for the run itself.'),
  status: z.string().describe('`Success`, `Warning`, `Failed`, `Pending` or `Queued`.'),
  _messageId: z.string().nullable().describe('The message it is about.'),
  source: z.string().describe('Where it comes from.'),
  providerId: z.string().nullable().describe('The provider it is about.'),
  isRetry: z.boolean().describe('Whether it was a retry.'),
  detail: z.string().describe('What happened.'),
  raw: z.unknown().describe('Data about it.'),
  createdAt: z.string().describe('When it happened.'),
})

export const bridgeCall: z.ZodType = named('BridgeCall', 'A call of the bridge, secrets masked.', {
  _id: z.string().describe('Row id.'),
  _jobId: z.string().nullable().describe('The step it was for.'),
  _environmentId: z.string().describe('The environment.'),
  _notificationId: z.string().nullable().describe('The run.'),
  action: z.string().describe('What the bridge was asked for, such as `execute`.'),
  url: z.string().describe('Where to.'),
  request: z.unknown().describe('What was sent.'),
  reply: z.unknown().describe('What came back.'),
  status: z.number().nullable().describe('HTTP status of the outcome.'),
  durationMs: z.number().describe('How long it took, milliseconds.'),
  createdAt: z.string().describe('When it began.'),
})

export const wholeRun: z.ZodType = named('WholeRun', 'A run with everything that belongs to it.', {
  ...runLineFields,
  workflowExists: z.boolean().describe('Whether its workflow is still there.'),
  payload: jsonRecord.describe("The trigger's data."),
  overrides: jsonRecord.describe("The trigger's overrides."),
  to: jsonRecord.describe('The recipient as it was.'),
  actor: jsonRecord.nullable().describe('Who caused it.'),
  tenant: jsonRecord.nullable().describe('The tenant as it was.'),
  context: jsonRecord.nullable().describe('The contexts as they were.'),
  topics: z
    .array(
      z.object({
        topicKey: z.string().optional(),
      }),
    )
    .describe('The topics that led to it.'),
  tags: z.array(z.string()).describe('Tags of the workflow.'),
  severity: severity.describe('How urgent it is.'),
  critical: z.boolean().describe('Whether preferences cannot hold it back.'),
  controls: jsonRecord.describe('Control values of the trigger, by step.'),
  bridgeUrl: z.string().nullable().describe('The bridge that the trigger named.'),
  digestedRunId: z.string().nullable().describe('The run whose digest took this one in.'),
  steps: z.array(wholeStep).describe('Its steps in their order.'),
  details: z.array(runDetail).describe('What happened, in order.'),
  calls: z.array(bridgeCall).describe('The calls of the bridge, in order.'),
  messages: z.array(message).describe('The messages that were stored.'),
})

export const triggerLine: z.ZodType = named('TriggerLine', 'What became of a trigger.', {
  _id: z.string().describe('Row id.'),
  status: z
    .enum(['accepted', 'processing', 'done', 'duplicate', 'failed', 'canceled'])
    .describe('How it stands; `done` says that all its runs are made.'),
  error: z.string().nullable().describe('Why it failed.'),
  transactionId: z.string().describe("The trigger's transaction."),
  workflowId: z.string().describe("The workflow's identifier."),
  kind: z.string().describe('Whether it is for named recipients, or for all.'),
  createdAt: z.string().describe('When it was accepted.'),
  updatedAt: z.string().describe('When it last changed.'),
})
