import type { JsonObject } from '@trestle/protocol'
import { sql } from 'kysely'
import { z } from 'zod'
import { cursorFields, readCursorPage } from '../../api/cursor-page.ts'
import { filledText, queryText } from '../../api/input.ts'
import { type AnyOperation, operation } from '../../context/operation.ts'
import type { CallContext } from '../../context/service-context.ts'
import { compact } from '../../json/json.ts'
import { cursorPageOf } from '../../resources/page.ts'
import { searchResults } from '../../resources/studio/search.ts'
import { subscriber } from '../../resources/subscriber.ts'
import { topic } from '../../resources/topic.ts'
import type { RunRow } from '../../store/schema/run.ts'
import type { SubscriberRow, TopicRow } from '../../store/schema/subscriber.ts'
import { anyHolds } from '../activity/list-runs.ts'
import { toSubscriber } from '../subscribers/subscriber-view.ts'
import { toTopic } from '../topics/topic-row.ts'

const maxResults = 6
/** A shorter text is part of so many transaction ids that the matches would be meaningless. */
const leastOfTransaction = 4

const common = { category: 'global', wrapped: false, access: 'view', method: 'GET' } as const
const listQuery = z.strictObject({ ...cursorFields(['createdAt']), search: queryText(200) })
const subscriberColumns = ['subscriberId', 'email', 'firstName', 'lastName', 'phone']
const topicColumns = ['key', 'name']

/** Operations that search an environment. */
export const studioSearchOperations: readonly AnyOperation[] = Object.freeze([
  operation({
    ...common,
    name: 'studio.search',
    path: '/v1/studio/search',
    summary: 'Finds subscribers, topics and runs by part of an identifying value, newest first',
    query: z.strictObject({ q: filledText(200) }),
    output: searchResults,
    async handler(context, { query: { q } }) {
      const [subscribers, topics, runs] = await Promise.all([
        findSubscribers(context, q),
        findTopics(context, q),
        findRuns(context, q),
      ])
      return { subscribers, topics, runs }
    },
  }),
  operation({
    ...common,
    name: 'studio.subscriberList',
    path: '/v1/studio/subscribers',
    summary: 'Lists subscribers by part of their id, name, email address or phone number, newest first',
    query: listQuery,
    output: cursorPageOf(subscriber),
    async handler(context, { query }) {
      const page = await listHolding<SubscriberRow>(context, query, {
        table: 'subscribers',
        columns: subscriberColumns,
      })
      return { ...page, data: page.data.map((row) => toSubscriber(row, context.organizationId)) }
    },
  }),
  operation({
    ...common,
    name: 'studio.topicList',
    path: '/v1/studio/topics',
    summary: 'Lists topics by part of their key or name, newest first',
    query: listQuery,
    output: cursorPageOf(topic),
    async handler(context, { query }) {
      const page = await listHolding<TopicRow>(context, query, { table: 'topics', columns: topicColumns })
      return { ...page, data: page.data.map(toTopic) }
    },
  }),
])

function listHolding<TRow extends { readonly id: string }>(
  { store, environment }: CallContext,
  query: z.infer<typeof listQuery>,
  { table, columns }: { readonly table: string; readonly columns: readonly string[] },
) {
  const { search } = query
  const isHolding = search === undefined ? [] : [anyHolds(columns, search)]
  const where = [sql`"environmentId" = ${environment.id}`, ...isHolding]
  return readCursorPage<TRow>(store.db, { from: sql.table(table), select: sql`*`, where, id: sql`"id"` }, query)
}

async function findSubscribers({ store, environment }: CallContext, q: string): Promise<readonly JsonObject[]> {
  const { rows } = await sql<SubscriberRow>`select * from "subscribers" where "environmentId" = ${environment.id}
    and ${anyHolds(subscriberColumns, q)} order by "id" desc limit ${maxResults}`.execute(store.db)
  return rows.map(({ subscriberId, firstName, lastName, email, phone }) =>
    compact({
      subscriberId,
      firstName: firstName ?? undefined,
      lastName: lastName ?? undefined,
      email: email ?? undefined,
      phone: phone ?? undefined,
    }),
  )
}

async function findTopics({ store, environment }: CallContext, q: string): Promise<readonly JsonObject[]> {
  const { rows } = await sql<{ readonly key: string; readonly name: string | null }>`select "key", "name" from "topics"
    where "environmentId" = ${environment.id} and ${anyHolds(topicColumns, q)}
    order by "id" desc limit ${maxResults}`.execute(store.db)
  return rows.map(({ key, name }) => compact({ key, name: name ?? undefined }))
}

async function findRuns({ store, environment }: CallContext, q: string): Promise<readonly JsonObject[]> {
  if (q.length < leastOfTransaction) return []
  const { rows } = await sql<RunRow>`select * from "runs" where "environmentId" = ${environment.id}
    and ("id" = ${q} or ${anyHolds(['transactionId'], q)}) order by "id" desc limit ${maxResults}`.execute(store.db)
  return rows.map(({ id, workflowIdentifier, externalSubscriberId, transactionId, status }) => ({
    ...{ _id: id, workflowId: workflowIdentifier, subscriberId: externalSubscriberId, transactionId, status },
  }))
}
