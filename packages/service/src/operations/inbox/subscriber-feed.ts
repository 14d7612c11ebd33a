import { z } from 'zod'
import { ApiError, notFound } from '../../api/api-error.ts'
import { filledText, jsonObject, queryFlag, queryList, queryNumber, queryText } from '../../api/input.ts'
import { type AnyOperation, operation } from '../../context/operation.ts'
import type { CallContext } from '../../context/service-context.ts'
import { countMessages, listMessages } from '../../messages/list-messages.ts'
import { markMessages, wakeMessages } from '../../messages/mark-messages.ts'
import { toFeedItem, toMessage, toMessageSubscriber } from '../../messages/to-message.ts'
import { feedItem, message } from '../../resources/activity/message.ts'
import { named } from '../../resources/named.ts'
import { openPageOf } from '../../resources/page.ts'
import type { SubscriberRow } from '../../store/schema/subscriber.ts'
import type { Session } from '../../store/store.ts'
import { findSubscriber } from '../subscribers/find-subscriber.ts'
import { findFeedIds, parsePayloadFilter } from './feed-query.ts'
import { findInAppMessage } from './find-in-app-message.ts'
import { toOwner } from './inbox.ts'
import { checkSizeFor } from './inbox-items.ts'
import { changeAction } from './message-action.ts'

const markAs = named(
  'MessageMark',
  'A state of an in-app message.',
  z.enum(['read', 'seen', 'unread', 'unseen'], 'must be read, seen, unread or unseen'),
)
const ids = z.union([filledText(), z.array(filledText()).min(1, 'must not be empty').max(1000)])
const common = { category: 'configuration', wrapped: true } as const
const path = '/v1/subscribers/{subscriberId}'
const maxUnseen = 100

/** Operations (v1) on a subscriber's in-app messages. */
export const subscriberFeedOperations: readonly AnyOperation[] = Object.freeze([
  operation({
    ...common,
    name: 'subscribers.getFeed',
    access: 'view',
    method: 'GET',
    path: `${path}/notifications/feed`,
    summary: "Lists a subscriber's in-app messages, newest first",
    wrapped: false,
    query: z.strictObject({
      page: queryNumber({ fallback: 0, max: 1_000_000 }),
      limit: queryNumber({ fallback: 10, min: 1, max: 100 }),
      read: queryFlag(),
      seen: queryFlag(),
      feedIdentifier: queryList(),
      payload: queryText(10_000),
    }),
    output: openPageOf(feedItem),
    handler: (context, { params, query }) =>
      context.store.repeatable(async (tx) => {
        const { page, limit } = query
        const payload = parsePayloadFilter(query.payload)
        const subscriber = await findKnown(tx, context, params['subscriberId'])
        const owner = toOwner(subscriber)
        await wakeMessages(tx, owner, context.clock.now())
        const feedIds = await findFeedIds(tx, context.environment.id, query.feedIdentifier)
        const filter = { ...owner, read: query.read, seen: query.seen, snoozed: false, feedIds, payload }
        const { rows, hasMore } = await listMessages(tx, filter, {
          offset: page * limit,
          limit,
          check: checkSizeFor('feed', tx),
        })
        const totalCount = await countMessages(tx, filter)
        const parts = { organizationId: context.organizationId, subscriber: toMessageSubscriber(subscriber) }
        return { data: rows.map((row) => toFeedItem(row, parts)), totalCount, hasMore, pageSize: limit, page }
      }),
  }),
  operation({
    ...common,
    name: 'subscribers.getUnseenCount',
    access: 'view',
    method: 'GET',
    path: `${path}/notifications/unseen`,
    summary: "Counts a subscriber's unseen in-app messages",
    query: z.strictObject({
      seen: queryFlag(),
      limit: queryNumber({ fallback: maxUnseen, min: 1, max: 1000 }),
      feedIdentifier: queryList(),
    }),
    output: z.object({ count: z.number() }),
    handler: (context, { params, query }) =>
      context.store.repeatable(async (tx) => {
        const owner = toOwner(await findKnown(tx, context, params['subscriberId']))
        await wakeMessages(tx, owner, context.clock.now())
        const feedIds = await findFeedIds(tx, context.environment.id, query.feedIdentifier)
        const filter = { ...owner, seen: query.seen ?? false, snoozed: false, feedIds }
        return { count: await countMessages(tx, filter, query.limit) }
      }),
  }),
  operation({
    ...common,
    name: 'subscribers.markMessages',
    access: 'edit',
    method: 'POST',
    path: `${path}/messages/mark-as`,
    summary: 'Marks single in-app messages as read, seen, unread or unseen',
    status: 201,
    body: z.strictObject({ messageId: ids, markAs }),
    output: z.array(message),
    handler: (context, { params, body }) =>
      markSingle(context, params['subscriberId'], { messageIds: [body.messageId].flat(), marks: [body.markAs] }),
  }),
  operation({
    ...common,
    name: 'subscribers.markMessagesByFlags',
    access: 'edit',
    method: 'POST',
    path: `${path}/messages/markAs`,
    summary: 'Marks single in-app messages as seen or read (older form)',
    status: 201,
    body: z.strictObject({
      messageId: ids,
      mark: z.strictObject({ seen: z.boolean().optional(), read: z.boolean().optional() }),
    }),
    output: z.array(message),
    handler(context, { params, body }) {
      const { seen, read } = body.mark
      if (seen === undefined && read === undefined) throw new ApiError(400, 'Set "mark" to the changes to apply.')
      const marks = [
        ...(seen === undefined ? [] : [seen ? ('seen' as const) : ('unseen' as const)]),
        ...(read === undefined ? [] : [read ? ('read' as const) : ('unread' as const)]),
      ]
      return markSingle(context, params['subscriberId'], { messageIds: [body.messageId].flat(), marks })
    },
  }),
  operation({
    ...common,
    name: 'subscribers.markAllMessages',
    access: 'edit',
    method: 'POST',
    path: `${path}/messages/mark-all`,
    summary: 'Marks all in-app messages as read, seen, unread or unseen, and returns how many were changed',
    status: 201,
    body: z.strictObject({
      markAs,
      feedIdentifier: z.union([filledText(), z.array(filledText()).max(100)]).optional(),
    }),
    output: z.number(),
    handler: (context, { params, body }) =>
      context.store.repeatable(async (tx) => {
        const owner = toOwner(await findSubscriber(tx, context, params['subscriberId']))
        const wanted = body.feedIdentifier === undefined ? undefined : [body.feedIdentifier].flat()
        const feedIds = await findFeedIds(tx, context.environment.id, wanted)
        return markMessages(tx, { ...owner, feedIds }, { mark: body.markAs, nowMs: context.clock.now() })
      }),
  }),
  operation({
    ...common,
    name: 'subscribers.markAction',
    access: 'edit',
    method: 'POST',
    path: `${path}/messages/{messageId}/actions/{type}`,
    summary: 'Saves the state of a button of an in-app message',
    status: 201,
    params: z.object({
      subscriberId: z.string(),
      messageId: z.string(),
      type: z.enum(['primary', 'secondary'], 'must be primary or secondary'),
    }),
    body: z.strictObject({
      status: z.enum(['pending', 'done'], 'must be pending or done'),
      payload: jsonObject().optional(),
    }),
    output: message,
    handler: (context, { params, body }) =>
      context.store.repeatable(async (tx) => {
        const { subscriberId, messageId, type } = params
        const subscriber = await findSubscriber(tx, context, subscriberId)
        const inAppMessage = await findInAppMessage(tx, subscriber, messageId)
        const changed = await changeAction(tx, inAppMessage, { ...body, type, nowMs: context.clock.now() })
        return toMessage(changed, { organizationId: context.organizationId })
      }),
  }),
])

type Marks = readonly ('read' | 'seen' | 'unread' | 'unseen')[]

async function markSingle(
  context: CallContext,
  subscriberId: string | undefined,
  { messageIds, marks }: { readonly messageIds: readonly string[]; readonly marks: Marks },
): Promise<readonly object[]> {
  return context.store.repeatable(async (tx) => {
    const owner = toOwner(await findSubscriber(tx, context, subscriberId))
    const filter = { ...owner, ids: messageIds }
    for (const mark of marks) await markMessages(tx, filter, { mark, nowMs: context.clock.now() })
    const page = { offset: 0, limit: messageIds.length, check: checkSizeFor('feed', tx) }
    const { rows } = await listMessages(tx, filter, page)
    const missing = messageIds.find((id) => rows.every((row) => row.id !== id))
    if (missing !== undefined) throw notFound('Message', missing)
    return rows.map((row) => toMessage(row, { organizationId: context.organizationId }))
  })
}

function findKnown(tx: Session, context: CallContext, subscriberId: string | undefined): Promise<SubscriberRow> {
  const missing = () => new ApiError(400, `The environment has no subscriber "${subscriberId}".`)
  return findSubscriber(tx, { ...context, missing }, subscriberId)
}
