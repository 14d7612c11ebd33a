import { sql } from 'kysely'
import { z } from 'zod'
import { ApiError } from '../../api/api-error.ts'
import { cursorFields, readCursorPage } from '../../api/cursor-page.ts'
import { jsonObject, queryFlag, queryText, text } from '../../api/input.ts'
import { type AnyOperation, operation, reply } from '../../context/operation.ts'
import type { CallContext } from '../../context/service-context.ts'
import { topicDeletion } from '../../resources/deletion.ts'
import { cursorPageOf } from '../../resources/page.ts'
import { topic } from '../../resources/topic.ts'
import type { TopicRow } from '../../store/schema/subscriber.ts'
import { findTopic, lookUpTopic, type NewTopic, removeTopic, storeTopic, topicKeyField, toTopic } from './topic-row.ts'

const fields = { name: text(500).optional(), data: jsonObject().optional() }
const common = { category: 'configuration', wrapped: false } as const
const path = '/v2/topics'
const order = { _id: 'id', id: 'id', createdAt: 'createdAt', updatedAt: 'updatedAt', key: 'key' } as const

/** Operations (v2) on topics. */
export const topicOperations: readonly AnyOperation[] = Object.freeze([
  operation({
    ...common,
    name: 'topics.list',
    access: 'view',
    method: 'GET',
    path,
    summary: 'Lists topics.',
    query: z.strictObject({ ...cursorFields(Object.keys(order)), key: queryText(), name: queryText() }),
    output: cursorPageOf(topic),
    async handler({ store, environment }, { query }) {
      const where = [sql`"environmentId" = ${environment.id}`]
      if (query.key !== undefined) where.push(sql`"key" = ${query.key}`)
      if (query.name !== undefined) where.push(sql`"name" = ${query.name}`)
      const columns = Object.fromEntries(Object.entries(order).map(([field, column]) => [field, sql.ref(column)]))
      const source = { from: sql`"topics"`, select: sql`*`, where, id: sql`"id"`, order: columns }
      const page = await readCursorPage<TopicRow>(store.db, source, query)
      return { ...page, data: page.data.map(toTopic) }
    },
  }),
  operation({
    ...common,
    name: 'topics.create',
    access: 'edit',
    method: 'POST',
    path,
    summary: 'Creates a topic, or updates the one with the same key.',
    status: 201,
    also: { 200: 'The topic already existed and was updated.' },
    query: z.strictObject({ failIfExists: queryFlag() }),
    body: z.strictObject({ key: topicKeyField, ...fields }),
    output: topic,
    handler: (context, { query, body }) => create(context, body, query.failIfExists === true),
  }),
  operation({
    ...common,
    name: 'topics.get',
    access: 'view',
    method: 'GET',
    path: `${path}/{topicKey}`,
    summary: 'Returns a topic.',
    output: topic,
    handler: async (context, { params }) =>
      toTopic(await findTopic(context.store.db, context, String(params['topicKey']))),
  }),
  operation({
    ...common,
    name: 'topics.update',
    access: 'edit',
    method: 'PATCH',
    path: `${path}/{topicKey}`,
    summary: 'Changes the name or the data of a topic.',
    body: z.strictObject(fields),
    output: topic,
    handler: (context, { params, body }) =>
      context.store.transaction(async (tx) => {
        const { key } = await findTopic(tx, context, String(params['topicKey']))
        return toTopic((await storeTopic(tx, context, { key, ...body })).row)
      }),
  }),
  operation({
    ...common,
    name: 'topics.delete',
    access: 'edit',
    method: 'DELETE',
    path: `${path}/{topicKey}`,
    summary: 'Deletes a topic with all subscriptions to it.',
    output: topicDeletion,
    handler: (context, { params }) =>
      context.store.transaction(async (tx) => {
        await removeTopic(tx, context, await findTopic(tx, context, String(params['topicKey'])))
        return { acknowledged: true }
      }),
  }),
])

function create(context: CallContext, body: NewTopic, failIfExists: boolean): Promise<unknown> {
  return context.store.transaction(async (tx) => {
    const held = failIfExists ? await lookUpTopic(tx, context, body.key) : undefined
    if (held)
      throw new ApiError(409, `Topic ${JSON.stringify(body.key)} already exists.`, { extra: { ...toTopic(held) } })
    const { row, isNew } = await storeTopic(tx, context, body)
    return reply(isNew ? 201 : 200, toTopic(row))
  })
}
