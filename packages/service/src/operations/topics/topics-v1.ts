import type { JsonObject } from '@trestle/protocol'
import { z } from 'zod'
import { ApiError, notFound } from '../../api/api-error.ts'
import { filledText, queryNumber, queryText } from '../../api/input.ts'
import { maxPage } from '../../api/numbered-page.ts'
import type { CallContext } from '../../context/service-context.ts'
import type { TopicRow } from '../../store/schema/subscriber.ts'
import type { Session } from '../../store/store.ts'
import { type AnyOperation, operation } from '../operation.ts'
import { subscribe, unsubscribe } from './store-subscription.ts'
import { findTopic, lookUpTopic, removeTopic, storeTopic, topicKeyField } from './topic-row.ts'

const maxPageSize = 10
const common = { category: 'configuration', wrapped: true } as const
const path = '/v1/topics'
const output = z.object({
  _id: z.string(),
  _organizationId: z.string(),
  _environmentId: z.string(),
  key: z.string(),
  name: z.string(),
  subscribers: z.array(z.string()),
})
const subscriberList = z.strictObject({ subscribers: z.array(filledText()).min(1, 'must not be empty').max(1000) })

/** The operations of the first version on topics. @source Resources, "Topic" */
export const topicV1Operations: readonly AnyOperation[] = Object.freeze([
  operation({
    ...common,
    name: 'topics.listV1',
    method: 'GET',
    path,
    summary: 'Lists topics by page number.',
    wrapped: false,
    query: z.strictObject({
      page: queryNumber({ fallback: 0, max: maxPage }),
      pageSize: queryNumber({ fallback: maxPageSize, min: 1, max: maxPageSize }),
      key: queryText(),
    }),
    output: z.object({ data: z.array(output), page: z.number(), pageSize: z.number(), totalCount: z.number() }),
    handler: (context, { query }) => list(context, query),
  }),
  operation({
    ...common,
    name: 'topics.createV1',
    method: 'POST',
    path,
    summary: 'Creates a topic.',
    status: 201,
    body: z.strictObject({ key: topicKeyField, name: filledText(500) }),
    output: z.object({ _id: z.string(), key: z.string() }),
    handler: (context, { body }) =>
      context.store.transaction(async (tx) => {
        if (await lookUpTopic(tx, context, body.key))
          throw new ApiError(409, `Topic ${JSON.stringify(body.key)} exists already.`)
        const { row } = await storeTopic(tx, context, body)
        return { _id: row.id, key: row.key }
      }),
  }),
  operation({
    ...common,
    name: 'topics.getV1',
    method: 'GET',
    path: `${path}/{topicKey}`,
    summary: 'Returns a topic with the identifiers of its subscribers.',
    output,
    handler: (context, { params }) => show(context.store.db, context, String(params['topicKey'])),
  }),
  operation({
    ...common,
    name: 'topics.renameV1',
    method: 'PATCH',
    path: `${path}/{topicKey}`,
    summary: 'Renames a topic.',
    body: z.strictObject({ name: filledText(500) }),
    output,
    handler: (context, { params, body }) =>
      context.store.transaction(async (tx) => {
        const { key } = await findTopic(tx, context, String(params['topicKey']))
        await storeTopic(tx, context, { key, ...body })
        return show(tx, context, key)
      }),
  }),
  operation({
    ...common,
    name: 'topics.deleteV1',
    method: 'DELETE',
    path: `${path}/{topicKey}`,
    summary: 'Deletes a topic that has no subscribers.',
    status: 204,
    handler: (context, { params }) =>
      context.store.transaction(async (tx) => {
        const topic = await findTopic(tx, context, String(params['topicKey']))
        if ((await subscribersOf(tx, [topic])).size > 0)
          throw new ApiError(409, `Topic ${JSON.stringify(topic.key)} has subscribers; remove them first.`)
        await removeTopic(tx, topic)
      }),
  }),
  operation({
    ...common,
    name: 'topics.addSubscribersV1',
    method: 'POST',
    path: `${path}/{topicKey}/subscribers`,
    summary: 'Adds subscribers to a topic, which is created when it is missing.',
    body: subscriberList,
    output: z.object({
      succeeded: z.array(z.string()),
      failed: z.object({ notFound: z.array(z.string()) }).optional(),
    }),
    handler: (context, { params, body }) =>
      addSubscribers(context, topicKeyField.parse(params['topicKey']), body.subscribers),
  }),
  operation({
    ...common,
    name: 'topics.checkSubscriber',
    method: 'GET',
    path: `${path}/{topicKey}/subscribers/{subscriberId}`,
    summary: 'Returns the subscription of a subscriber to a topic.',
    output: z.object({}),
    handler: (context, { params }) => check(context, String(params['topicKey']), String(params['subscriberId'])),
  }),
  operation({
    ...common,
    name: 'topics.removeSubscribersV1',
    method: 'POST',
    path: `${path}/{topicKey}/subscribers/removal`,
    summary: 'Removes subscribers from a topic.',
    status: 204,
    body: subscriberList,
    handler: (context, { params, body }) =>
      context.store.transaction(async (tx) => {
        const topic = await findTopic(tx, context, String(params['topicKey']))
        const wanted = body.subscribers.map((subscriberId) => ({ subscriberId }))
        await unsubscribe(tx, context, { topic, wanted })
      }),
  }),
])

interface ListQuery {
  readonly page: number
  readonly pageSize: number
  readonly key?: string | undefined
}

async function list(context: CallContext, { page, pageSize, key }: ListQuery): Promise<unknown> {
  const { db } = context.store
  let query = db.selectFrom('topics').where('environmentId', '=', context.environment.id)
  if (key !== undefined) query = query.where('key', '=', key)
  const rows = await query
    .selectAll()
    .orderBy('id', 'desc')
    .limit(pageSize)
    .offset(page * pageSize)
    .execute()
  const counted = await query.select(({ fn }) => fn.countAll().as('count')).executeTakeFirstOrThrow()
  const members = await subscribersOf(db, rows)
  const data = rows.map((row) => toTopicV1(row, { context, subscribers: members.get(row.id) ?? [] }))
  return { data, page, pageSize, totalCount: Number(counted.count) }
}

async function show(db: Session, context: CallContext, topicKey: string): Promise<JsonObject> {
  const row = await findTopic(db, context, topicKey)
  const subscribers = (await subscribersOf(db, [row])).get(row.id) ?? []
  return toTopicV1(row, { context, subscribers })
}

function toTopicV1(
  { id, environmentId, key, name }: TopicRow,
  { context, subscribers }: { readonly context: CallContext; readonly subscribers: readonly string[] },
): JsonObject {
  return {
    _id: id,
    _organizationId: context.organizationId,
    _environmentId: environmentId,
    key,
    name: name ?? '',
    subscribers,
  }
}

async function subscribersOf(db: Session, topics: readonly TopicRow[]): Promise<Map<string, readonly string[]>> {
  const members = new Map<string, readonly string[]>()
  if (topics.length === 0) return members
  const ids = topics.map(({ id }) => id)
  const rows = await db
    .selectFrom('topicSubscriptions')
    .innerJoin('subscribers', 'subscribers.id', 'topicSubscriptions.subscriberId')
    .select(['topicSubscriptions.topicId', 'subscribers.subscriberId'])
    .distinct()
    .where('topicSubscriptions.topicId', 'in', ids)
    .orderBy('subscribers.subscriberId')
    .execute()
  for (const { topicId, subscriberId } of rows) members.set(topicId, [...(members.get(topicId) ?? []), subscriberId])
  return members
}

function addSubscribers(context: CallContext, topicKey: string, ids: readonly string[]): Promise<unknown> {
  return context.store.transaction(async (tx) => {
    const topic =
      (await lookUpTopic(tx, context, topicKey)) ??
      (await storeTopic(tx, context, { key: topicKey, name: `Autogenerated-${topicKey}` })).row
    const wanted = ids.map((subscriberId) => ({ subscriberId }))
    const { stored, missing } = await subscribe(tx, context, { topic, wanted })
    const succeeded = stored.map(({ subscriber }) => subscriber.subscriberId)
    return { succeeded, ...(missing.length > 0 ? { failed: { notFound: missing } } : {}) }
  })
}

async function check(context: CallContext, topicKey: string, subscriberId: string): Promise<unknown> {
  const row = await context.store.db
    .selectFrom('topicSubscriptions')
    .innerJoin('topics', 'topics.id', 'topicSubscriptions.topicId')
    .innerJoin('subscribers', 'subscribers.id', 'topicSubscriptions.subscriberId')
    .select(['topics.id as topicId', 'subscribers.id as subscriberRow'])
    .where('topics.environmentId', '=', context.environment.id)
    .where('topics.key', '=', topicKey)
    .where('subscribers.subscriberId', '=', subscriberId)
    .executeTakeFirst()
  if (!row) throw notFound(`A subscription to the topic ${JSON.stringify(topicKey)} of the subscriber`, subscriberId)
  return {
    _organizationId: context.organizationId,
    _environmentId: context.environment.id,
    _subscriberId: row.subscriberRow,
    _topicId: row.topicId,
    topicKey,
    externalSubscriberId: subscriberId,
  }
}
