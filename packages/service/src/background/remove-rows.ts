import { type RawBuilder, sql } from 'kysely'
import { toLaneName } from '../queue/lane-name.ts'
import type { Queue, QueueItem, TakenItem } from '../queue/queue.ts'
import { isPostgres } from '../store/prepared.ts'
import { conversationTables, runTables, subscriberTables } from '../store/schema/owned-rows.ts'
import type { Tables } from '../store/schema/tables.ts'
import { removeBatch } from '../store/shared/remove-batch.ts'
import type { Session, Store } from '../store/store.ts'

/** The kind of the queue item that removes the rows of a deleted environment. */
export const removalKind = 'remove-environment'

/** The maximum number of rows of each table that a transaction deletes. */
const limit = 100
/** Longer than requests and steps that are in progress when the environment is deleted. */
const againMs = 60 * 60_000

/** Digests and throttles are found through the steps that used them. */
const ofSteps = ['digests', 'throttles'] as const

/** Tables that have no index of the environment are found through their owners, by a column. */
const owners = [
  { owner: 'runs', column: 'runId', tables: runTables },
  { owner: 'conversations', column: 'conversationId', tables: conversationTables },
  { owner: 'subscribers', column: 'subscriberId', tables: subscriberTables },
] as const

type Owner = (typeof owners)[number]

/** Other tables, which have an index of the environment. Some calls belong to no run. */
const others = [
  'bridgeCalls',
  'topics',
  'topicSubscriptions',
  'workflows',
  'stepControls',
  'stepControlVersions',
  'workflowWarnings',
  'workflowGroups',
  'tenants',
  'workflowOverrides',
  'emittedEvents',
  'feeds',
  'layouts',
  'translations',
  'variableValues',
  'contexts',
  'channelConnections',
  'channelEndpoints',
  'rateBuckets',
  'agents',
  'inboundMails',
  'webhookDeliveries',
] as const satisfies readonly (keyof Tables)[]

/** The tables whose rows are removed after their environment was deleted. */
export const removedTables: readonly (keyof Tables)[] = [
  ...new Set<keyof Tables>([
    'triggers',
    ...ofSteps,
    ...owners.flatMap(({ owner, tables }) => [...tables, owner]),
    ...others,
  ]),
]

/** The lane is not one of the environment, whose work is dropped. */
const toRemoval = (id: string): QueueItem => ({
  ...{ kind: removalKind, id, lane: toLaneName('service', removalKind), priority: 'bulk' },
})

/**
 * Queues the removal of the rows of a deleted environment. Later, it runs again for rows that work in progress has stored.
 *
 * @param tx - The transaction that deletes the environment.
 */
export async function queueRemoval(tx: Session, queue: Pick<Queue, 'add'>, environmentId: string): Promise<void> {
  await queue.add(tx, [toRemoval(environmentId)])
  await queue.add(tx, [toRemoval(environmentId)], { delayMs: againMs })
}

/**
 * Removes the next rows of a deleted environment, and queues the removal of those after them, in one transaction. So it
 * continues after a crash, and other work runs in between.
 *
 * @param ports - The database and the queue.
 * @param item - The work; its id is the environment's.
 */
export async function removeRows(
  { store, queue }: { readonly store: Store; readonly queue: Pick<Queue, 'add'> },
  { id, complete }: TakenItem,
): Promise<void> {
  await store.transaction(async (tx) => {
    const hasMore = await removePage(tx, id)
    await complete(tx)
    if (hasMore) await queue.add(tx, [toRemoval(id)])
  })
}

/** Returns whether there may be more rows. */
async function removePage(tx: Session, environmentId: string): Promise<boolean> {
  const where = sql`"environmentId" = ${environmentId}`
  // A trigger that is left would create more runs.
  if ((await removeBatch(tx, { table: 'triggers', where, limit })) > 0) return true
  for (const owner of owners) if (await removeOwned(tx, owner, environmentId)) return true
  for (const table of others) if ((await removeBatch(tx, { table, where, limit })) > 0) return true
  return false
}

/** Removes owners once they have no more rows. */
async function removeOwned(tx: Session, { owner, column, tables }: Owner, environmentId: string): Promise<boolean> {
  // Work in progress locks its run or conversation, and must not store rows after those were removed.
  const rows = await tx
    .selectFrom(owner)
    .select('id')
    .where('environmentId', '=', environmentId)
    .limit(limit)
    .$if(isPostgres(tx), (query) => query.forUpdate())
    .execute()
  if (rows.length === 0) return false
  const ids = sql.join(rows.map(({ id }) => id))
  const isOwned = sql`${sql.ref(column)} in (${ids})`
  const isUsed = sql`"bucket" in (select "bucket" from "jobs" where "runId" in (${ids}) and "bucket" is not null)`
  const parts: readonly (readonly [keyof Tables, RawBuilder<unknown>])[] = [
    ...(owner === 'runs' ? ofSteps.map((table) => [table, isUsed] as const) : []),
    ...tables.map((table) => [table, isOwned] as const),
  ]
  for (const [table, where] of parts) if ((await removeBatch(tx, { table, where, limit })) === limit) return true
  await removeBatch(tx, { table: owner, where: sql`"id" in (${ids})`, limit })
  return true
}
