import { z } from 'zod'
import { channelType, severity } from '../channel.ts'
import { jsonRecord } from '../json-record.ts'
import { named } from '../named.ts'
import { subscriber } from '../subscriber.ts'
import { workflowV1 } from '../workflows/workflow-v1.ts'
import { deliveryReport } from './delivery-report.ts'

export const actionType: z.ZodType = named(
  'ActionType',
  "One of a message's two actions.",
  z.enum(['primary', 'secondary']),
)

export const actionStatus: z.ZodType = named(
  'ActionStatus',
  'Whether an action has been taken.',
  z.enum(['pending', 'done']),
)

export const messageCta: z.ZodType = named('MessageCta', 'The call to action of a message.', {
  type: z.literal('redirect').optional().describe('`redirect`.'),
  data: z
    .object({
      url: z.string().optional(),
    })
    .optional()
    .describe('The target.'),
  action: z
    .object({
      status: actionStatus.optional(),
      buttons: z
        .array(
          z.object({
            type: actionType,
            content: z.string(),
            resultContent: z.string().optional(),
          }),
        )
        .optional(),
      result: z
        .object({
          payload: jsonRecord.optional(),
          type: actionType.optional(),
        })
        .optional(),
    })
    .optional()
    .describe('The buttons and their state.'),
})

const messageFields = {
  _id: z.string().describe('The id, assigned by the service.'),
  _environmentId: z.string().describe('The environment.'),
  _organizationId: z.string().describe('The organization.'),
  _notificationId: z.string().describe('The run.'),
  _subscriberId: z.string().describe('The id of the subscriber, assigned by the service.'),
  _templateId: z.string().describe('The workflow.'),
  _messageTemplateId: z.string().optional().describe('The template of the message.'),
  _feedId: z.string().nullable().optional().describe('The feed.'),
  transactionId: z.string().describe('The transaction.'),
  createdAt: z.string().describe('When it was created.'),
  channel: channelType.describe('The channel.'),
  read: z.boolean().describe('Whether it has been read.'),
  seen: z.boolean().describe('Whether it has been seen.'),
  cta: messageCta.describe('The call to action.'),
  status: z.enum(['sent', 'error', 'warning']).describe('The outcome.'),
  subscriber: subscriber.optional().describe('The recipient.'),
  template: workflowV1.optional().describe('The workflow (v1).'),
  templateIdentifier: z.string().describe("The workflow's identifier."),
  deliveredAt: z
    .union([z.string(), z.array(z.string())])
    .optional()
    .describe('When it was delivered.'),
  lastSeenDate: z.string().optional().describe('When it was last seen.'),
  lastReadDate: z.string().optional().describe('When it was last read.'),
  snoozedUntil: z.string().optional().describe('When the snooze ends.'),
  content: z
    .union([z.string(), z.array(jsonRecord)])
    .nullable()
    .optional()
    .describe('The content: text, or blocks whose fields are not specified.'),
  subject: z.string().optional().describe('The subject.'),
  title: z.string().optional().describe('The title of a push message.'),
  email: z.string().optional().describe('The email address it was sent to.'),
  phone: z.string().optional().describe('The phone number it was sent to.'),
  directWebhookUrl: z.string().optional().describe('The webhook it was sent to.'),
  providerId: z.string().optional().describe('The provider.'),
  deviceTokens: z.array(z.string()).optional().describe('The devices it was sent to.'),
  errorId: z.string().optional().describe("The provider's error."),
  errorText: z.string().optional().describe("The provider's error message."),
  reports: z.array(deliveryReport).optional().describe('Reports from the provider about it, oldest first.'),
  payload: jsonRecord.optional().describe('The payload of the trigger.'),
  overrides: jsonRecord.optional().describe('The overrides of the trigger.'),
  contextKeys: z.array(z.string()).optional().describe('The contexts of the run.'),
  _jobId: z.string().describe('The job that sent it.'),
  providerMessageId: z.string().optional().describe('The identifier that the provider gave it.'),
  avatar: z.string().optional().describe('URL of an image.'),
  data: jsonRecord.optional().describe('Custom data.'),
  tags: z.array(z.string()).optional().describe('Tags of the workflow.'),
  severity: severity.describe('The severity.'),
  archived: z.boolean().describe('Whether it has been archived.'),
  archivedAt: z.string().optional().describe('When it was archived.'),
  firstSeenDate: z.string().optional().describe('When it was first seen.'),
  updatedAt: z.string().describe('When it last changed.'),
  deleted: z.boolean().describe('Whether it has been deleted.'),
}

export const message: z.ZodType = named('Message', 'A message that was sent, on any channel.', messageFields)

export const feedSubscriber: z.ZodType = named('FeedSubscriber', 'The recipient of a message in a feed.', {
  _id: z.string().describe('The id, assigned by the service.'),
  subscriberId: z.string().describe('The subscriber id, chosen by the caller.'),
  firstName: z.string().nullable().optional().describe('Given name.'),
  lastName: z.string().nullable().optional().describe('Family name.'),
  avatar: z.string().nullable().optional().describe('URL of an image.'),
})

export const feedItem: z.ZodType = named('FeedItem', 'An in-app message in a feed (v1).', {
  ...messageFields,
  subscriber: feedSubscriber.optional().describe('The recipient.'),
  _id: z.string().describe('The id, assigned by the service.'),
  _templateId: z.string().describe('The workflow.'),
  _jobId: z.string().describe('The job.'),
  content: z.string().describe('The content.'),
  archived: z.boolean().describe('Whether it has been archived.'),
  updatedAt: z.string().describe('When it last changed.'),
})
