import { z } from 'zod'
import { ApiError } from '../../api/api-error.ts'
import { filledText, queryNumber, queryText } from '../../api/input.ts'
import { maxPage } from '../../api/numbered-page.ts'
import { type AnyOperation, operation } from '../../context/operation.ts'
import { countedPageOf } from '../../resources/page.ts'
import { addedSubscribersV1, topicSubscriberV1, topicV1 } from '../../resources/topic.ts'
import { unsubscribe } from './store-subscription.ts'
import { findTopic, lookUpTopic, removeTopic, storeTopic, topicKeyField } from './topic-row.ts'
import { addSubscribers, checkSubscriber, hasSubscribers, listTopicsV1, showTopicV1 } from './topic-view-v1.ts'

const maxPageSize = 10
const common = { category: 'configuration', wrapped: true } as const
const path = '/v1/topics'
const subscriberList = z.strictObject({ subscribers: z.array(filledText()).min(1, 'must not be empty').max(1000) })

/** Operations (v1) on topics. @source service-api.md#topic */
export const topicV1Operations: readonly AnyOperation[] = Object.freeze([
  operation({
    ...common,
    name: 'topics.listV1',
    access: 'view',
    method: 'GET',
    path,
    summary: 'Lists topics by page number.',
    wrapped: false,
    query: z.strictObject({
      page: queryNumber({ fallback: 0, max: maxPage }),
      pageSize: queryNumber({ fallback: maxPageSize, min: 1, max: maxPageSize }),
      key: queryText(),
    }),
    output: countedPageOf(topicV1),
    handler: (context, { query }) => listTopicsV1(context, query),
  }),
  operation({
    ...common,
    name: 'topics.createV1',
    access: 'edit',
    method: 'POST',
    path,
    summary: 'Creates a topic.',
    status: 201,
    body: z.strictObject({ key: topicKeyField, name: filledText(500) }),
    output: z.object({ _id: z.string(), key: z.string() }),
    handler: (context, { body }) =>
      context.store.transaction(async (tx) => {
        if (await lookUpTopic(tx, context, body.key))
          throw new ApiError(409, `Topic ${JSON.stringify(body.key)} already exists.`)
        const { row } = await storeTopic(tx, context, body)
        return { _id: row.id, key: row.key }
      }),
  }),
  operation({
    ...common,
    name: 'topics.getV1',
    access: 'view',
    method: 'GET',
    path: `${path}/{topicKey}`,
    summary: 'Returns a topic with its subscriber ids.',
    output: topicV1,
    handler: (context, { params }) => showTopicV1(context.store.db, context, String(params['topicKey'])),
  }),
  operation({
    ...common,
    name: 'topics.renameV1',
    access: 'edit',
    method: 'PATCH',
    path: `${path}/{topicKey}`,
    summary: 'Renames a topic.',
    body: z.strictObject({ name: filledText(500) }),
    output: topicV1,
    handler: (context, { params, body }) =>
      context.store.transaction(async (tx) => {
        const { key } = await findTopic(tx, context, String(params['topicKey']))
        await storeTopic(tx, context, { key, ...body })
        return showTopicV1(tx, context, key)
      }),
  }),
  operation({
    ...common,
    name: 'topics.deleteV1',
    access: 'edit',
    method: 'DELETE',
    path: `${path}/{topicKey}`,
    summary: 'Deletes a topic that has no subscribers.',
    status: 204,
    handler: (context, { params }) =>
      context.store.transaction(async (tx) => {
        const topic = await findTopic(tx, context, String(params['topicKey']))
        if (await hasSubscribers(tx, topic))
          throw new ApiError(409, `Topic ${JSON.stringify(topic.key)} has subscribers. Remove them first.`)
        await removeTopic(tx, context, topic)
      }),
  }),
  operation({
    ...common,
    name: 'topics.addSubscribersV1',
    access: 'edit',
    method: 'POST',
    path: `${path}/{topicKey}/subscribers`,
    summary: 'Adds subscribers to a topic, which is created if missing.',
    params: z.object({ topicKey: topicKeyField }),
    body: subscriberList,
    output: addedSubscribersV1,
    handler: (context, { params, body }) => addSubscribers(context, params.topicKey, body.subscribers),
  }),
  operation({
    ...common,
    name: 'topics.checkSubscriber',
    access: 'view',
    method: 'GET',
    path: `${path}/{topicKey}/subscribers/{subscriberId}`,
    summary: 'Returns the subscription of a subscriber to a topic.',
    output: topicSubscriberV1,
    handler: (context, { params }) =>
      checkSubscriber(context, String(params['topicKey']), String(params['subscriberId'])),
  }),
  operation({
    ...common,
    name: 'topics.removeSubscribersV1',
    access: 'edit',
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
