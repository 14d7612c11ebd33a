import { z } from 'zod'
import { channelType, severity } from '../channel.ts'
import { jsonRecord } from '../json-record.ts'
import { named } from '../named.ts'

export const inboxRedirect: z.ZodType = named('InboxRedirect', 'A link of an inbox message.', {
  url: z.string().describe('The address.'),
  target: z.string().optional().describe('The link target, such as `_blank`.'),
})

export const inboxAction: z.ZodType = named('InboxAction', 'A button of an inbox message.', {
  label: z.string().describe('The label.'),
  isCompleted: z.boolean().describe('Whether it has been used.'),
  redirect: inboxRedirect.optional().describe('The target.'),
})

export const inboxItem: z.ZodType = named('InboxItem', "An in-app message in a subscriber's inbox.", {
  id: z.string().describe("The message's id."),
  transactionId: z.string().describe('The transaction.'),
  subject: z.string().optional().describe('The subject.'),
  body: z.string().describe('The body.'),
  to: z
    .object({
      id: z.string(),
      subscriberId: z.string(),
      firstName: z.string().optional(),
      lastName: z.string().optional(),
      avatar: z.string().optional(),
    })
    .describe('The recipient.'),
  isRead: z.boolean().describe('Whether it has been read.'),
  isSeen: z.boolean().describe('Whether it has been seen.'),
  isArchived: z.boolean().describe('Whether it has been archived.'),
  isSnoozed: z.boolean().describe('Whether it is snoozed.'),
  snoozedUntil: z.string().nullable().optional().describe('When the snooze ends.'),
  deliveredAt: z.array(z.string()).optional().describe('When it was delivered.'),
  createdAt: z.string().describe('When it was created.'),
  readAt: z.string().nullable().optional().describe('When it was read.'),
  firstSeenAt: z.string().nullable().optional().describe('When it was first seen.'),
  archivedAt: z.string().nullable().optional().describe('When it was archived.'),
  avatar: z.string().optional().describe('URL of an image.'),
  primaryAction: inboxAction.optional().describe('The first button.'),
  secondaryAction: inboxAction.optional().describe('The second button.'),
  channelType: channelType.describe('The channel.'),
  tags: z.array(z.string()).optional().describe('Tags of the workflow.'),
  data: jsonRecord.optional().describe('Custom data.'),
  redirect: inboxRedirect.optional().describe('The target of a click.'),
  workflow: z
    .object({
      id: z.string(),
      identifier: z.string(),
      name: z.string(),
      critical: z.boolean(),
      severity: severity,
      tags: z.array(z.string()).optional(),
      data: jsonRecord.optional(),
    })
    .optional()
    .describe('The workflow.'),
  severity: severity.describe('The severity.'),
})

export const inboxPage: z.ZodType = named('InboxPage', 'A page of an inbox.', {
  data: z.array(inboxItem).describe('The messages, newest first.'),
  hasMore: z.boolean().describe('Whether more messages follow.'),
  filter: jsonRecord.describe('The filter as the API understood it.'),
})

export const inboxCount: z.ZodType = named('InboxCount', 'The number of messages that match a filter.', {
  count: z.number().describe('The number.'),
  filter: jsonRecord.describe('The filter as the API understood it.'),
})
