import { sql } from 'kysely'
import type { Clock } from '../clock/clock.ts'
import { toLaneName } from '../queue/lane-name.ts'
import type { Queue, QueueItem, TakenItem } from '../queue/queue.ts'
import { type RowBatch, removeBatch } from '../store/shared/remove-batch.ts'
import type { Session, Store } from '../store/store.ts'
import { deleteMessages, removeMessages } from './remove-messages.ts'

/** The kind of the queue item that removes the remaining rows of a large deletion. */
export const deletedRowsKind = 'remove-deleted-rows'

/** The maximum number of rows of each table that a page deletes. */
const limit = 100
/** With 500 runs, a transaction of the embedded database takes a third of a second. */
const pagesPerRequest = 5

/** The subscriptions to a deleted topic. */
interface TopicRows {
  readonly of: 'topic'
  /** Row id of the topic. */
  readonly topicId: string
}

/** The deliveries to a deleted webhook endpoint. */
interface EndpointRows {
  readonly of: 'endpoint'
  /** Row id of the endpoint. */
  readonly endpointId: string
}

/** A deleted feed: its messages stay, without a feed. */
interface FeedMessages {
  readonly of: 'feed'
  /** Row id of the feed. */
  readonly feedId: string
}

/** The items of an emptied outbox. */
interface OutboxRows {
  readonly of: 'outbox'
  readonly environmentId: string
  /** The newest item at the time of the request. Later ones are kept. */
  readonly lastId: string
}

/** The messages of a transaction. */
interface TransactionRows {
  readonly of: 'transaction'
  readonly environmentId: string
  readonly transactionId: string
  /** The channel of the messages. @default all */
  readonly channel?: string | undefined
}

/** The messages of a deleted subscriber, and the personal data in its runs. */
interface SubscriberRows {
  readonly of: 'subscriber'
  readonly environmentId: string
  /** Row id of the subscriber. */
  readonly rowId: string
  /** The subscriber id, which a later subscriber may reuse. */
  readonly subscriberId: string
  /** Row id of the last run whose data was removed; empty at the start. */
  readonly lastRunId: string
}

/** The rows of one deletion. There may be millions. */
export type DeletedRows = TopicRows | EndpointRows | FeedMessages | OutboxRows | TransactionRows | SubscriberRows

/** Dependencies of deletions. */
export interface DeletionPorts {
  readonly queue: Pick<Queue, 'add'>
  readonly clock: Pick<Clock, 'now'>
}

interface RemovedPage {
  readonly count: number
  /** The rows that may be left; `undefined` if all are removed. */
  readonly rest: DeletedRows | undefined
}

/** The lane belongs to the service, because work of an environment may be slow or dropped. */
const toItem = (rows: DeletedRows): QueueItem => ({
  ...{ kind: deletedRowsKind, id: JSON.stringify(rows), lane: toLaneName('service', deletedRowsKind) },
  priority: 'bulk',
})

/**
 * Removes up to 500 rows of each table, and queues the removal of the others. So a small deletion is complete when the
 * transaction is committed, and a large one does not block other work.
 *
 * @param tx - The transaction that deletes the owner of the rows.
 * @returns The number of removed rows, without rows that belong to them.
 */
export async function removeDeletedRows(
  tx: Session,
  { queue, clock }: DeletionPorts,
  rows: DeletedRows,
): Promise<number> {
  let total = 0
  let rest: DeletedRows | undefined = rows
  for (let page = 0; rest && page < pagesPerRequest; page++) {
    const removed: RemovedPage = await removePage(tx, rest, clock.now())
    total += removed.count
    rest = removed.rest
  }
  if (rest) await queue.add(tx, [toItem(rest)])
  return total
}

/**
 * Removes the next rows of a large deletion, and queues the removal of those after them, in one transaction. So it
 * continues after a crash, and other work runs in between.
 *
 * @param item - The work; its id contains the {@link DeletedRows}.
 */
export async function continueRemoval(
  { store, queue, clock }: DeletionPorts & { readonly store: Store },
  { id, complete }: TakenItem,
): Promise<void> {
  await store.transaction(async (tx) => {
    const { rest } = await removePage(tx, JSON.parse(id) as DeletedRows, clock.now())
    await complete(tx)
    if (rest) await queue.add(tx, [toItem(rest)])
  })
}

function removePage(tx: Session, rows: DeletedRows, nowMs: number): Promise<RemovedPage> {
  switch (rows.of) {
    case 'topic':
      return removeFrom(tx, rows, { table: 'topicSubscriptions', where: sql`"topicId" = ${rows.topicId}` })
    case 'endpoint':
      return removeFrom(tx, rows, { table: 'webhookDeliveries', where: sql`"endpointId" = ${rows.endpointId}` })
    case 'feed':
      return clearFeed(tx, rows)
    case 'outbox':
      return removeFrom(tx, rows, {
        table: 'outbox',
        where: sql`"environmentId" = ${rows.environmentId} and "id" <= ${rows.lastId}`,
      })
    case 'transaction':
      return removeOfTransaction(tx, rows, nowMs)
    case 'subscriber':
      return removeOfSubscriber(tx, rows)
  }
}

async function removeFrom(tx: Session, rows: DeletedRows, batch: Omit<RowBatch, 'limit'>): Promise<RemovedPage> {
  const count = await removeBatch(tx, { ...batch, limit })
  return { count, rest: count < limit ? undefined : rows }
}

/** Until all pages are done, messages show the id of the deleted feed, but cannot be selected by it. */
async function clearFeed(tx: Session, rows: FeedMessages): Promise<RemovedPage> {
  const messages = await tx.selectFrom('messages').select('id').where('feedId', '=', rows.feedId).limit(limit).execute()
  const ids = messages.map(({ id }) => id)
  if (ids.length > 0) await tx.updateTable('messages').set({ feedId: null }).where('id', 'in', ids).execute()
  return { count: ids.length, rest: ids.length < limit ? undefined : rows }
}

async function removeOfTransaction(tx: Session, rows: TransactionRows, nowMs: number): Promise<RemovedPage> {
  const { environmentId, transactionId, channel } = rows
  const query = tx
    .selectFrom('messages')
    .select('id')
    .where('environmentId', '=', environmentId)
    .where('transactionId', '=', transactionId)
  const messages = await (channel === undefined ? query : query.where('channel', '=', channel)).limit(limit).execute()
  const ids = messages.map(({ id }) => id)
  await removeMessages(tx, ids, nowMs)
  return { count: ids.length, rest: ids.length < limit ? undefined : rows }
}

/** The inbox no longer exists, so its changes are not recorded. */
async function removeOfSubscriber(tx: Session, rows: SubscriberRows): Promise<RemovedPage> {
  const { environmentId, rowId } = rows
  const runIds = await selectRuns(tx, rows)
  if (runIds.length > 0 && !(await removeRunData(tx, rows, runIds))) return { count: 0, rest: rows }
  const messages = await tx
    .selectFrom('messages')
    .select('id')
    .where('environmentId', '=', environmentId)
    .where('subscriberId', '=', rowId)
    .limit(limit)
    .execute()
  const messageIds = messages.map(({ id }) => id)
  await deleteMessages(tx, messageIds)
  const changes = await removeBatch(tx, { table: 'inboxChanges', where: sql`"subscriberId" = ${rowId}`, limit })
  const isDone = [runIds.length, messageIds.length, changes].every((count) => count < limit)
  const rest = { ...rows, lastRunId: runIds.at(-1) ?? rows.lastRunId }
  return { count: messageIds.length, rest: isDone ? undefined : rest }
}

/** The index on subscriber ids is sorted by run, so no page reads the runs of the pages before it. */
async function selectRuns(tx: Session, rows: SubscriberRows): Promise<readonly string[]> {
  const runs = await tx
    .selectFrom('runs')
    .select('id')
    .where('environmentId', '=', rows.environmentId)
    .where('externalSubscriberId', '=', rows.subscriberId)
    .where('subscriberId', '=', rows.rowId)
    .where('id', '>', rows.lastRunId)
    .orderBy('id')
    .limit(limit)
    .execute()
  return runs.map(({ id }) => id)
}

/** Runs keep only the subscriber id. Returns false if they have more bridge calls than a page deletes. */
async function removeRunData(tx: Session, { subscriberId }: SubscriberRows, ids: readonly string[]): Promise<boolean> {
  const where = sql`"runId" in (${sql.join(ids)})`
  if ((await removeBatch(tx, { table: 'bridgeCalls', where, limit })) === limit) return false
  const recipient = JSON.stringify({ subscriberId })
  await tx.updateTable('runs').set({ recipient }).where('id', 'in', ids).execute()
  await tx
    .updateTable('jobs')
    .set({ outputs: null, result: null })
    .where('runId', 'in', ids)
    .where('endedAt', 'is not', null)
    .execute()
  return true
}
