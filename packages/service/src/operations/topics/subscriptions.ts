import { sql } from 'kysely'
import { z } from 'zod'
import { ApiError, invalid, notFound } from '../../api/api-error.ts'
import { contextFields, readContextKeys } from '../../api/context-fields.ts'
import { cursorFields } from '../../api/cursor-page.ts'
import { filledText, jsonObject, pathId, queryList, queryText, text } from '../../api/input.ts'
import { type AnyOperation, operation, reply } from '../../context/operation.ts'
import type { CallContext } from '../../context/service-context.ts'
import { named } from '../../resources/named.ts'
import { cursorPageOf } from '../../resources/page.ts'
import { subscription, subscriptionDetails, subscriptionItem, subscriptionsResult } from '../../resources/topic.ts'
import { findSubscriber } from '../subscribers/find-subscriber.ts'
import { listSubscriptions, subscriptionOrder } from './list-subscriptions.ts'
import { type SubscriptionOutcome, subscribe, unsubscribe, type WantedSubscription } from './store-subscription.ts'
import { toSubscription } from './subscription-view.ts'
import { findTopic, lookUpTopic, storeTopic, topicKeyField } from './topic-row.ts'

const max = 100
const path = '/v2/topics/{topicKey}/subscriptions'
const common = { category: 'configuration', wrapped: false } as const
const cursor = cursorFields(subscriptionOrder)
const wanted = named(
  'SubscriptionInput',
  'A subscriber to add to or remove from a topic.',
  z.union([
    filledText(),
    z.strictObject({ identifier: pathId().optional(), subscriberId: filledText(), name: text(500).optional() }),
  ]),
)
const removed = z.union([
  filledText(),
  z.strictObject({ identifier: filledText().optional(), subscriberId: filledText().optional() }),
])
const preferences = z.array(jsonObject()).max(max).optional()
const lists = { subscriberIds: z.array(filledText()).max(max, `must have at most ${max} items`).optional() }

/** Operations (v2) on subscriptions of a topic. */
export const subscriptionOperations: readonly AnyOperation[] = Object.freeze([
  operation({
    ...common,
    name: 'topics.listSubscriptions',
    access: 'view',
    method: 'GET',
    path,
    summary: 'Lists the subscriptions to a topic.',
    query: z.strictObject({ ...cursor, subscriberId: queryText(), contextKeys: queryList() }),
    output: cursorPageOf(subscriptionItem),
    async handler(context, { params, query }) {
      const topic = await findTopic(context.store.db, context, String(params['topicKey']))
      const where = [sql`s."topicId" = ${topic.id}`]
      if (query.subscriberId !== undefined)
        where.push(sql`u."environmentId" = ${context.environment.id}`, sql`u."subscriberId" = ${query.subscriberId}`)
      return listSubscriptions(context.store.db, where, query)
    },
  }),
  operation({
    ...common,
    name: 'subscribers.listSubscriptions',
    access: 'view',
    method: 'GET',
    path: '/v2/subscribers/{subscriberId}/subscriptions',
    summary: 'Lists the subscriptions of a subscriber.',
    query: z.strictObject({ ...cursor, key: queryText(), contextKeys: queryList() }),
    output: cursorPageOf(subscriptionItem),
    async handler(context, { params, query }) {
      const subscriber = await findSubscriber(context.store.db, context, String(params['subscriberId']))
      const where = [sql`s."environmentId" = ${context.environment.id}`, sql`s."subscriberId" = ${subscriber.id}`]
      if (query.key !== undefined) where.push(sql`t."key" = ${query.key}`)
      return listSubscriptions(context.store.db, where, query)
    },
  }),
  operation({
    ...common,
    name: 'topics.subscribe',
    access: 'edit',
    method: 'POST',
    path,
    summary: 'Subscribes up to 100 subscribers to a topic, which is created if missing.',
    status: 201,
    params: z.object({ topicKey: topicKeyField }),
    body: named(
      'SubscriptionsBody',
      'Subscribers to add to a topic, at most 100.',
      z.strictObject({
        subscriptions: z
          .array(wanted)
          .max(max, `must have at most ${max} items`)
          .optional()
          .describe('Subscriber ids, or subscriptions with their own identifier.'),
        ...lists,
        name: text(500).optional().describe('Name of the topic, if it is created.'),
        context: contextFields.optional().describe('The contexts of the subscription.'),
        preferences: preferences.describe('Preferences of the subscription; their fields are not specified.'),
      }),
    ),
    output: subscriptionsResult,
    handler: (context, { params, body }) =>
      context.store.transaction(async (tx) => {
        const { topicKey: key } = params
        const topic =
          (await lookUpTopic(tx, context, key)) ?? (await storeTopic(tx, context, { key, name: body.name })).row
        const outcome = await subscribe(tx, context, {
          topic,
          wanted: toWanted(body),
          preferences: body.preferences,
          contextKeys: readContextKeys(body.context),
        })
        return toReply(outcome, { topic, success: 201 })
      }),
  }),
  operation({
    ...common,
    name: 'topics.unsubscribe',
    access: 'edit',
    method: 'DELETE',
    path,
    summary: 'Removes up to 100 subscriptions from a topic.',
    body: named(
      'UnsubscribeBody',
      'Subscribers to remove from a topic, at most 100.',
      z.strictObject({
        subscriptions: z
          .array(removed)
          .max(max, `must have at most ${max} items`)
          .optional()
          .describe('Subscriber ids, or subscriptions by their identifier.'),
        ...lists,
      }),
    ),
    output: subscriptionsResult,
    handler: (context, { params, body }) =>
      context.store.transaction(async (tx) => {
        const topic = await findTopic(tx, context, String(params['topicKey']))
        return toReply(await unsubscribe(tx, context, { topic, wanted: toWanted(body) }), { topic, success: 200 })
      }),
  }),
  operation({
    ...common,
    name: 'topics.getSubscription',
    access: 'view',
    method: 'GET',
    path: `${path}/{identifier}`,
    summary: 'Returns a subscription to a topic.',
    output: subscriptionDetails,
    handler: async (context, { params }) => {
      const existingSubscription = await findSubscription(context, params)
      return { id: existingSubscription['_id'], ...existingSubscription }
    },
  }),
  operation({
    ...common,
    name: 'topics.updateSubscription',
    access: 'edit',
    method: 'PATCH',
    path: `${path}/{identifier}`,
    summary: 'Changes the name or the preferences of a subscription.',
    body: z.strictObject({ name: text(500).optional(), preferences }),
    output: subscription,
    async handler(context, { params, body }) {
      const { _id } = await findSubscription(context, params)
      const { name } = body
      await context.store.db
        .updateTable('topicSubscriptions')
        .set({
          updatedAt: context.clock.now(),
          ...(name === undefined ? {} : { name }),
          ...(body.preferences === undefined ? {} : { preferences: JSON.stringify(body.preferences) }),
        })
        .where('id', '=', String(_id))
        .execute()
      return findSubscription(context, params)
    },
  }),
])

interface SubscriptionBody {
  readonly subscriptions?: readonly (string | WantedSubscription)[] | undefined
  readonly subscriberIds?: readonly string[] | undefined
}

function toWanted({ subscriptions = [], subscriberIds = [] }: SubscriptionBody): readonly WantedSubscription[] {
  const all = [...subscriptions, ...subscriberIds].map((item) =>
    typeof item === 'string' ? { subscriberId: item } : item,
  )
  if (all.length === 0) throw invalid('subscriptions', 'must name at least one subscription')
  if (all.length > max) throw invalid('subscriptions', `must have at most ${max} items, subscriberIds included`)
  if (all.some(({ subscriberId, identifier }) => subscriberId === undefined && identifier === undefined))
    throw invalid('subscriptions', 'must each have a subscriberId or an identifier')
  return all
}

function toReply(
  { stored, failed }: SubscriptionOutcome,
  { topic, success }: { readonly topic: Parameters<typeof toSubscription>[1]['topic']; readonly success: number },
): unknown {
  const data = stored.map(({ row, subscriber }) => toSubscription(row, { topic, subscriber }))
  const meta = { totalCount: stored.length + failed.length, successful: stored.length, failed: failed.length }
  const [first] = failed
  if (stored.length === 0 && first)
    throw new ApiError(400, `Nothing was changed: ${first.message}`, { extra: { data, meta, errors: failed } })
  return reply(success, { data, meta, ...(failed.length > 0 ? { errors: failed } : {}) })
}

async function findSubscription(
  context: CallContext,
  params: Readonly<Record<string, string>>,
): Promise<Readonly<Record<string, unknown>>> {
  const topic = await findTopic(context.store.db, context, String(params['topicKey']))
  const identifier = String(params['identifier'])
  const where = [sql`s."topicId" = ${topic.id}`, sql`s."identifier" = ${identifier}`]
  const page = await listSubscriptions(context.store.db, where, { limit: 1, orderDirection: 'DESC' })
  const [existingSubscription] = page.data
  if (!existingSubscription) throw notFound('Subscription', identifier)
  return existingSubscription
}
