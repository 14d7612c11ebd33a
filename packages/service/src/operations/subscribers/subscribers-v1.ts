import { z } from 'zod'
import { invalid } from '../../api/api-error.ts'
import { pageFields } from '../../api/numbered-page.ts'
import { type AnyOperation, operation } from '../../context/operation.ts'
import type { CallContext } from '../../context/service-context.ts'
import { named } from '../../resources/named.ts'
import { openPageOf } from '../../resources/page.ts'
import { bulkSubscribers, subscriber } from '../../resources/subscriber.ts'
import { findSubscriber } from './find-subscriber.ts'
import { type SubscriberBody, storeAll, storeSubscriber } from './store-subscriber.ts'
import { channelField, profileFields, subscriberIdField } from './subscriber-fields.ts'
import { subscriberOperationsOf } from './subscriber-operations.ts'
import { toSubscriber } from './subscriber-view.ts'

const maxBulk = 500
const channels = z.array(channelField).max(100).optional()
const created = named(
  'NewSubscriberV1',
  'A new subscriber (v1), with credentials of its channels.',
  z.strictObject({
    subscriberId: subscriberIdField.describe('The subscriber id, chosen by the caller.'),
    ...profileFields,
    channels: channels.describe('Channels with their credentials.'),
  }),
)
const common = { category: 'configuration', wrapped: true } as const
const path = '/v1/subscribers'

/** Operations (v1) on subscribers, including bulk creation. */
export const subscriberV1Operations: readonly AnyOperation[] = Object.freeze([
  operation({
    ...common,
    name: 'subscribers.listV1',
    access: 'view',
    method: 'GET',
    path,
    summary: 'Lists subscribers by page number.',
    wrapped: false,
    query: z.strictObject(pageFields({ limit: 10, max: 100 })),
    output: openPageOf(subscriber),
    async handler({ store, environment, organizationId }, { query: { page, limit } }) {
      const rows = await store.db
        .selectFrom('subscribers')
        .selectAll()
        .where('environmentId', '=', environment.id)
        .orderBy('id', 'desc')
        .limit(limit + 1)
        .offset(page * limit)
        .execute()
      const data = rows.slice(0, limit).map((row) => toSubscriber(row, organizationId))
      return { data, page, pageSize: limit, hasMore: rows.length > limit }
    },
  }),
  operation({
    ...common,
    name: 'subscribers.createV1',
    access: 'edit',
    method: 'POST',
    path,
    summary: 'Creates a subscriber, or updates the one with the same identifier.',
    status: 201,
    body: created,
    output: subscriber,
    handler: (context, { body }) =>
      context.store.repeatable(async (tx) =>
        toSubscriber((await storeSubscriber(tx, context, body)).row, context.organizationId),
      ),
  }),
  operation({
    ...common,
    name: 'subscribers.createBulk',
    access: 'edit',
    method: 'POST',
    path: `${path}/bulk`,
    summary: 'Creates or updates up to 500 subscribers.',
    status: 201,
    cost: 'bulk',
    body: z.strictObject({
      subscribers: z
        .array(created)
        .min(1, 'must name at least one subscriber')
        .max(maxBulk, `must name at most ${maxBulk} subscribers`),
    }),
    output: bulkSubscribers,
    splits: 'subscribers',
    handler: (context, { body }) => createBulk(context, body.subscribers),
  }),
  ...subscriberOperationsOf({
    path,
    wrapped: true,
    names: { get: 'subscribers.getV1', change: 'subscribers.update', remove: 'subscribers.deleteV1' },
    change: { method: 'PUT', hasChannels: true },
  }),
  operation({
    ...common,
    name: 'subscribers.updateOnlineStatus',
    access: 'edit',
    method: 'PATCH',
    path: `${path}/{subscriberId}/online-status`,
    summary: 'Sets whether a subscriber is online.',
    body: z.strictObject({ isOnline: z.boolean('must be true or false') }),
    output: subscriber,
    handler: (context, { params, body: { isOnline } }) =>
      context.store.repeatable(async (tx) => {
        const row = await findSubscriber(tx, context, String(params['subscriberId']))
        const nowMs = context.clock.now()
        const changed = {
          isOnline: isOnline ? (1 as const) : (0 as const),
          updatedAt: nowMs,
          ...(isOnline ? {} : { lastOnlineAt: nowMs }),
        }
        await tx.updateTable('subscribers').set(changed).where('id', '=', row.id).execute()
        return toSubscriber({ ...row, ...changed }, context.organizationId)
      }),
  }),
])

async function createBulk(context: CallContext, subscribers: readonly SubscriberBody[]): Promise<unknown> {
  const ids = subscribers.map(({ subscriberId }) => subscriberId)
  const twice = ids.find((id, index) => ids.indexOf(id) !== index)
  if (twice !== undefined) throw invalid('subscribers', `contains ${JSON.stringify(twice)} twice`)
  return context.store.repeatable(async (tx) => {
    const stored = await storeAll(tx, context, subscribers)
    const listed = (areNew: boolean) =>
      stored.filter(({ isNew }) => isNew === areNew).map(({ row: { subscriberId } }) => ({ subscriberId }))
    return { updated: listed(false), created: listed(true), failed: [] }
  })
}
