import type { JsonObject } from '@trestle/protocol'
import { sql } from 'kysely'
import { z } from 'zod'
import { filledText } from '../../api/input.ts'
import { type AnyOperation, operation } from '../../context/operation.ts'
import type { CallContext } from '../../context/service-context.ts'
import { compact } from '../../json/json.ts'
import { searchResults } from '../../resources/studio/search.ts'
import type { RunRow } from '../../store/schema/run.ts'
import type { SubscriberRow } from '../../store/schema/subscriber.ts'
import { anyHolds } from '../activity/list-runs.ts'

const maxResults = 6
/** A shorter text is part of so many transaction ids that the matches would be meaningless. */
const leastOfTransaction = 4

/** The operation that searches an environment. */
export const studioSearchOperations: readonly AnyOperation[] = Object.freeze([
  operation({
    category: 'global',
    wrapped: false,
    access: 'view',
    method: 'GET',
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
])

async function findSubscribers({ store, environment }: CallContext, q: string): Promise<readonly JsonObject[]> {
  const columns = ['subscriberId', 'email', 'firstName', 'lastName', 'phone']
  const { rows } = await sql<SubscriberRow>`select * from "subscribers" where "environmentId" = ${environment.id}
    and ${anyHolds(columns, q)} order by "id" desc limit ${maxResults}`.execute(store.db)
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
    where "environmentId" = ${environment.id} and ${anyHolds(['key', 'name'], q)}
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
