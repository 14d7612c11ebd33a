import { isObject } from '@trestle/protocol'
import { callService } from '../api/service-access.ts'
import { anyObject, boolean, integer, listOf, next, objectOf, string, stringOrNull } from './schemas.ts'
import { toQuery } from './to-query.ts'
import { createTool, type McpTool, readsOnly, toAccess } from './tool.ts'
import { choice, limit, required, text } from './tool-input.ts'

const channels = ['email', 'sms', 'push', 'chat', 'in_app'] as const

/** The tools that read what recipients receive. */
export const messageTools: readonly McpTool[] = Object.freeze([
  createTool({
    name: 'list_outbox',
    title: 'List the outbox',
    description:
      'Lists messages that no integration delivers, newest first, as their provider would receive them: subject, HTML and text of an email, body of an SMS, and so on.',
    input: {
      channel: choice('Only messages of this channel.', channels),
      recipient: text('Only messages to this address, such as an email address or a phone number.'),
      transactionId: text('Only messages from this trigger.'),
      limit: limit(10, 100),
      after: text('Start of the page: `next` from the previous page.', 4000),
    },
    output: {
      messages: listOf(
        objectOf({
          ...{ outboxId: string, runId: string, transactionId: string, channel: string, recipient: string },
          content: anyObject,
          createdAt: string,
        }),
      ),
      next,
      total: integer,
    },
    hints: readsOnly,
    async run(input, place) {
      const path = `/v1/studio/outbox${toQuery(input)}`
      const page = await callService(toAccess(place), { method: 'GET', path, signal: place.signal })
      const { data = [], next: after = null, totalCount = 0 } = isObject(page) ? page : {}
      const rows = (data as readonly unknown[]).filter(isObject)
      const messages = rows.map(({ _id, _notificationId, transactionId, channel, recipient, content, createdAt }) => ({
        ...{ outboxId: _id, runId: _notificationId, transactionId, channel, recipient, content, createdAt },
      }))
      return { messages, next: after, total: totalCount }
    },
  }),
  createTool({
    name: 'read_inbox',
    title: "Read a subscriber's inbox",
    description: 'Lists the in-app messages of a subscriber, newest first, as the inbox in the browser shows them.',
    input: {
      subscriberId: required(text('The subscriber.')),
      limit: limit(10, 100),
      after: text('The `messageId` to start after.'),
    },
    output: {
      messages: listOf(
        objectOf({
          ...{
            messageId: string,
            transactionId: string,
            workflowId: stringOrNull,
            subject: stringOrNull,
            body: string,
          },
          ...{ isRead: boolean, isSeen: boolean, isArchived: boolean, createdAt: string },
        }),
      ),
      hasMore: boolean,
    },
    hints: readsOnly,
    async run({ subscriberId, ...query }, place) {
      const path = `/v2/subscribers/${encodeURIComponent(subscriberId)}/notifications${toQuery(query)}`
      const page = await callService(toAccess(place), { method: 'GET', path, signal: place.signal })
      const { data = [], hasMore = false } = isObject(page) ? page : {}
      return { messages: (data as readonly unknown[]).filter(isObject).map(toItem), hasMore }
    },
  }),
])

/** Buttons, links and custom fields are only present if the message has them. */
function toItem(row: Readonly<Record<string, unknown>>): object {
  const { id, transactionId, subject = null, body, isRead, isSeen, isArchived, createdAt, workflow } = row
  const { avatar, primaryAction, secondaryAction, redirect, data } = row
  return {
    ...{ messageId: id, transactionId, workflowId: isObject(workflow) ? workflow['identifier'] : null },
    ...{ subject, body, isRead, isSeen, isArchived, createdAt },
    ...{ avatar, primaryAction, secondaryAction, redirect, data },
  }
}
