import { z } from 'zod'
import { message } from '../activity/message.ts'
import { severity } from '../channel.ts'
import { jsonRecord } from '../json-record.ts'
import { named } from '../named.ts'

export const runStatus: z.ZodType = named(
  'RunStatus',
  'The status of a run.',
  z.enum(['running', 'completed', 'failed', 'merged', 'canceled']),
)

export const stepStatus: z.ZodType = named(
  'StepStatus',
  'The status of a step.',
  z.enum(['pending', 'queued', 'running', 'delayed', 'completed', 'failed', 'canceled', 'merged', 'skipped']),
)

export const stepReason: z.ZodType = named('StepReason', 'Why a step, or a run, did not send.', {
  kind: z
    .enum(['preference', 'skip', 'address', 'provider', 'throttle', 'merged', 'canceled', 'unreached', 'failed'])
    .describe('The cause.'),
  message: z.string().describe('The cause in one sentence.'),
  code: z.string().optional().describe('Stable code of the error.'),
  runId: z.string().optional().describe('The run that merged or canceled this one.'),
  integrationId: z.string().optional().describe('Row id of the integration that did not send.'),
  tenant: z.string().optional().describe('The tenant whose preference decided.'),
  source: z
    .string()
    .optional()
    .describe('The preference that decided: `subscriberWorkflow`, `subscriber`, `tenant`, `stored` or `workflow`.'),
})

const runStepFields = {
  _id: z.string().describe('Row id.'),
  stepId: z.string().describe('The step id.'),
  type: z.string().describe('The type of step.'),
  status: stepStatus.describe('The status.'),
  parallelGroup: z.number().nullable().describe('Steps with the same number run in parallel.'),
  wave: z.number().describe('Steps of the same wave run in parallel.'),
  dueAt: z.string().nullable().describe('When its wait ends.'),
  reason: stepReason.nullable().describe('Why it did not send; null if it did, or may still.'),
}

export const runStep: z.ZodType = named('RunStep', 'A step of a run, as lists return it.', runStepFields)

const runLineFields = {
  _id: z.string().describe('Row id.'),
  workflowId: z.string().describe("The workflow's identifier."),
  workflowName: z.string().describe("The workflow's name."),
  transactionId: z.string().describe("The run's transaction."),
  subscriberId: z.string().describe('The subscriber id of the recipient.'),
  status: runStatus.describe('The status.'),
  hasWarnings: z.boolean().describe('Whether one of its messages was not sent.'),
  reason: stepReason.nullable().describe('Why it failed, if no step says so.'),
  createdAt: z.string().describe('When it started.'),
  updatedAt: z.string().describe('When it last changed.'),
  finishedAt: z.string().nullable().describe('When its last step ended.'),
  steps: z.array(runStep).describe('The steps, in order.'),
}

export const runCounts: z.ZodType = named('RunCounts', 'How many runs have each status.', {
  running: z.number().describe('Runs that have not ended.'),
  completed: z.number().describe('Completed runs whose messages were all sent.'),
  warning: z.number().describe('Completed runs with a message that was not sent.'),
  failed: z.number().describe('Failed runs.'),
  merged: z.number().describe('Runs merged into the digest of another run.'),
  canceled: z.number().describe('Canceled runs.'),
})

export const runLine: z.ZodType = named('RunLine', 'A run, as lists return it.', runLineFields)

export const stepError: z.ZodType = named('StepError', 'Why a step failed.', {
  code: z.string().optional().describe('A stable code.'),
  message: z.string().optional().describe('The problem, in a sentence.'),
  status: z.number().optional().describe('HTTP status of the failure.'),
  data: z.unknown().optional().describe('Details; their fields depend on the code.'),
})

export const wholeStep: z.ZodType = named('WholeStep', 'A step of a run with all its data.', {
  ...runStepFields,
  providerId: z.string().nullable().describe('The provider of its message.'),
  mergedIntoId: z.string().nullable().describe('The step whose digest includes this one.'),
  reusedFrom: z
    .string()
    .nullable()
    .describe('The run from which its result was copied; null for a step that this run ran itself.'),
  createdAt: z.string().nullable().describe('When it was created.'),
  updatedAt: z.string().nullable().describe('When it last changed.'),
  stage: z.string().nullable().describe('`sending` while its messages are being sent to providers.'),
  outputs: jsonRecord.nullable().describe('The answer from the bridge.'),
  result: jsonRecord.nullable().describe('The result that later steps can read.'),
  error: stepError.nullable().describe('Why it failed.'),
  calledAt: z.string().nullable().describe('When the bridge was called.'),
  endedAt: z.string().nullable().describe('When it ended.'),
})

export const unreachedStep: z.ZodType = named('UnreachedStep', 'A step of a workflow that a run has not reached.', {
  stepId: z.string().describe('The step id.'),
  type: z.string().describe('The type of step.'),
  reason: stepReason.nullable().describe('Why the run ended without it; null while the run may still reach it.'),
})

export const runDetail: z.ZodType = named('RunDetail', 'One event in a run.', {
  _id: z.string().describe('Row id.'),
  _jobId: z.string().nullable().describe('The step; null for the run itself.'),
  status: z.string().describe('`Success`, `Warning`, `Failed`, `Pending` or `Queued`.'),
  _messageId: z.string().nullable().describe('The message it is about.'),
  source: z.string().describe('The origin.'),
  providerId: z.string().nullable().describe('The provider it is about.'),
  isRetry: z.boolean().describe('Whether it was a retry.'),
  detail: z.string().describe('What happened.'),
  raw: z.unknown().describe('Data about it.'),
  createdAt: z.string().describe('When it happened.'),
})

export const bridgeCall: z.ZodType = named('BridgeCall', 'A bridge call, with secrets masked.', {
  _id: z.string().describe('Row id.'),
  _jobId: z.string().nullable().describe('The step it was for.'),
  _environmentId: z.string().describe('The environment.'),
  _notificationId: z.string().nullable().describe('The run.'),
  action: z.string().describe('The action, such as `execute`.'),
  url: z.string().describe('The URL.'),
  request: z.unknown().describe('The request.'),
  reply: z.unknown().describe('The response.'),
  status: z.number().nullable().describe('HTTP status of the outcome.'),
  durationMs: z.number().describe('The duration, in milliseconds.'),
  createdAt: z.string().describe('When it started.'),
})

export const linkedRun: z.ZodType = named('LinkedRun', 'A run that is linked with another one by a step.', {
  _id: z.string().describe('Row id.'),
  parentRunId: z.string().nullable().describe('The run whose step triggered it; null for the first one.'),
  stepId: z.string().nullable().describe('The step that triggered it; for a merged run, the digest.'),
  workflowId: z.string().describe("The workflow's identifier."),
  workflowName: z.string().describe("The workflow's name."),
  subscriberId: z.string().describe('The subscriber id of the recipient.'),
  status: runStatus.describe('The status.'),
  createdAt: z.string().describe('When it started.'),
  finishedAt: z.string().nullable().describe('When its last step ended.'),
})

export const wholeRun: z.ZodType = named('WholeRun', 'A run with everything that belongs to it.', {
  ...runLineFields,
  workflowExists: z.boolean().describe('Whether its workflow still exists.'),
  payload: jsonRecord.describe('The payload of the trigger.'),
  overrides: jsonRecord.describe("The trigger's overrides."),
  to: jsonRecord.describe('A snapshot of the recipient.'),
  actor: jsonRecord.nullable().describe('Who caused it.'),
  tenant: jsonRecord.nullable().describe('A snapshot of the tenant.'),
  context: jsonRecord.nullable().describe('A snapshot of the contexts.'),
  topics: z
    .array(
      z.object({
        topicKey: z.string().optional(),
      }),
    )
    .describe('The topics that the trigger addressed.'),
  tags: z.array(z.string()).describe('Tags of the workflow.'),
  severity: severity.describe('The severity.'),
  critical: z.boolean().describe('Whether subscribers cannot opt out.'),
  controls: jsonRecord.describe('Control values of the trigger, by step.'),
  bridgeUrl: z.string().nullable().describe('The bridge URL in the trigger.'),
  digestedRunId: z.string().nullable().describe('The run whose digest includes this one.'),
  ancestors: z
    .array(linkedRun)
    .describe('The run whose step triggered this one, and the runs above it; the first run comes first.'),
  descendants: z
    .array(linkedRun)
    .describe('The runs that its steps triggered, and the runs below them, up to 200. Parents come first.'),
  mergedRuns: z
    .array(linkedRun)
    .describe('The runs that its digests merged, up to 200, oldest first; their step is the digest.'),
  steps: z.array(wholeStep).describe('The steps, in order.'),
  unreached: z
    .array(unreachedStep)
    .describe('The steps of its workflow that it has not reached. While it runs, it may still reach them.'),
  details: z.array(runDetail).describe('The history, in order.'),
  calls: z.array(bridgeCall).describe('The bridge calls, in order.'),
  messages: z.array(message).describe('The stored messages.'),
})

export const triggerLine: z.ZodType = named('TriggerLine', 'The outcome of a trigger.', {
  _id: z.string().describe('Row id.'),
  status: z
    .enum(['accepted', 'processing', 'done', 'duplicate', 'failed', 'canceled'])
    .describe('The status; `done` if all its runs are created.'),
  error: z.string().nullable().describe('Why it failed.'),
  transactionId: z.string().describe("The trigger's transaction."),
  workflowId: z.string().describe("The workflow's identifier."),
  kind: z.string().describe('Whether it is for given recipients, or for all.'),
  createdAt: z.string().describe('When it was accepted.'),
  updatedAt: z.string().describe('When it last changed.'),
})
