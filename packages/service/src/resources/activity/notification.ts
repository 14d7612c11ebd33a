import { stepTypes } from '@trestle/protocol'
import { z } from 'zod'
import { severity } from '../channel.ts'
import { jsonRecord } from '../json-record.ts'
import { named } from '../named.ts'
import { workflowTrigger } from '../workflows/workflow-v1.ts'

export const jobType: z.ZodType = named('JobType', 'A step type, as named in runs.', z.enum([...stepTypes, 'trigger']))

export const executionStatus: z.ZodType = named(
  'ExecutionStatus',
  'The outcome of one event in a run.',
  z.enum(['Success', 'Warning', 'Failed', 'Pending', 'Queued', 'ReadConfirmation']),
)

export const executionSource: z.ZodType = named(
  'ExecutionSource',
  'The origin of an execution detail.',
  z.enum(['Credentials', 'Internal', 'Payload', 'Webhook']),
)

const jobExecutionDetailFields = {
  _id: z.string().describe('The id, assigned by the service.'),
  status: executionStatus.describe('The outcome.'),
  detail: z.string().describe('A description of the event.'),
  isRetry: z.boolean().describe('Whether it was a retry.'),
  isTest: z.boolean().describe('Whether it was a test.'),
  source: executionSource.describe('The origin.'),
  providerId: z.string().optional().describe('The provider.'),
  raw: z.string().nullable().optional().describe('Additional data, as text.'),
  createdAt: z.string().optional().describe('When it happened.'),
}

export const jobExecutionDetail: z.ZodType = named(
  'JobExecutionDetail',
  'One event in a job.',
  jobExecutionDetailFields,
)

export const executionDetail: z.ZodType = named('ExecutionDetail', 'One event in a run.', {
  ...jobExecutionDetailFields,
  _organizationId: z.string().describe('The organization.'),
  _environmentId: z.string().describe('The environment.'),
  _jobId: z.string().optional().describe('The job; absent if it happened to the run as a whole.'),
  _notificationId: z.string().describe('The run.'),
  _notificationTemplateId: z.string().describe('The workflow.'),
  _subscriberId: z.string().describe('The id of the subscriber, assigned by the service.'),
  _messageId: z.string().optional().describe('The message.'),
  transactionId: z.string().describe('The transaction.'),
  channel: z.string().optional().describe('The channel.'),
})

export const job: z.ZodType = named('Job', 'One step of a run.', {
  _id: z.string().describe('The id, assigned by the service.'),
  type: jobType.describe('The type of step.'),
  executionDetails: z.array(jobExecutionDetail).describe('The events of the job.'),
  step: z
    .looseObject({ _id: z.string(), active: z.boolean(), filters: z.array(jsonRecord), _templateId: z.string() })
    .describe('The step; other fields are not specified.'),
  providerId: z.string().describe('The provider.'),
  status: z
    .string()
    .describe('The status: pending, queued, running, completed, failed, delayed, canceled, merged or skipped.'),
  digest: jsonRecord.optional().describe('The digest, if the step is one; its fields are not specified.'),
  overrides: jsonRecord.optional().describe('Overrides of the trigger.'),
  payload: jsonRecord.optional().describe('The payload of the trigger.'),
  updatedAt: z.string().optional().describe('When it last changed.'),
  dueAt: z.string().optional().describe('When its wait ends.'),
  outputs: jsonRecord.optional().describe('The outputs of the step; the fields depend on its type.'),
  result: jsonRecord.optional().describe('The result that later steps can read.'),
  error: jsonRecord.optional().describe('Why it failed.'),
  scheduleExtensionsCount: z.number().optional().describe('How many times a schedule delayed it.'),
})

export const notificationSubscriber: z.ZodType = named('NotificationSubscriber', 'The recipient of a run.', {
  _id: z.string().describe('The id, assigned by the service.'),
  subscriberId: z.string().describe('The subscriber id, chosen by the caller.'),
  firstName: z.string().optional().describe('Given name.'),
  lastName: z.string().optional().describe('Family name.'),
  email: z.string().optional().describe('Email address.'),
  phone: z.string().optional().describe('Phone number.'),
})

export const notification: z.ZodType = named('Notification', 'The run of a workflow for one recipient.', {
  _id: z.string().describe('The id, assigned by the service.'),
  _environmentId: z.string().describe('The environment.'),
  _organizationId: z.string().describe('The organization.'),
  _subscriberId: z.string().describe('The id of the subscriber, assigned by the service.'),
  transactionId: z.string().describe('The transaction.'),
  _templateId: z.string().optional().describe('The workflow.'),
  _digestedNotificationId: z.string().optional().describe('The run whose digest includes this one.'),
  _parentNotificationId: z.string().optional().describe('The run whose step triggered this one.'),
  _childNotificationIds: z
    .array(z.string())
    .optional()
    .describe('The runs that its steps triggered, up to 200; only in the response for a single run.'),
  createdAt: z.string().optional().describe('When it was created.'),
  updatedAt: z.string().optional().describe('When it last changed.'),
  channels: z.array(z.string()).optional().describe('The types of its steps.'),
  subscriber: notificationSubscriber.optional().describe('The recipient.'),
  template: z
    .object({
      _id: z.string(),
      name: z.string(),
      triggers: z.array(workflowTrigger),
      origin: z.string().optional(),
    })
    .optional()
    .describe('The workflow.'),
  jobs: z.array(job).optional().describe('The steps.'),
  payload: jsonRecord.optional().describe('The payload of the trigger.'),
  tags: z.array(z.string()).optional().describe('Tags of the workflow.'),
  status: z
    .enum(['running', 'completed', 'failed', 'merged', 'canceled'])
    .optional()
    .describe('The status of the run.'),
  overrides: jsonRecord.optional().describe('The overrides of the trigger.'),
  controls: jsonRecord.optional().describe('Control values of the run.'),
  to: jsonRecord.optional().describe('The recipient, as resolved from the trigger.'),
  topics: z
    .array(
      z.object({
        _topicId: z.string(),
        topicKey: z.string(),
      }),
    )
    .optional()
    .describe('The topics it was sent to.'),
  severity: severity.optional().describe('The severity.'),
  critical: z.boolean().optional().describe('Whether subscribers cannot opt out.'),
  contextKeys: z.array(z.string()).optional().describe('The contexts of the run.'),
})

export const dayStatistics: z.ZodType = named('DayStatistics', 'The counts of one day.', {
  _id: z.string().describe('The day, as `YYYY-MM-DD`.'),
  count: z.number().describe('Number of messages.'),
  templates: z.array(z.string()).describe('The workflows.'),
  channels: z.array(z.string()).describe('The channels.'),
})
