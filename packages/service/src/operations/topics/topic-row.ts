import type { JsonObject } from '@trestle/protocol'
import type { z } from 'zod'
import { notFound } from '../../api/api-error.ts'
import { key } from '../../api/input.ts'
import { type DeletionPorts, removeDeletedRows } from '../../background/deleted-rows.ts'
import type { CallContext } from '../../context/service-context.ts'
import { compact } from '../../json/json.ts'
import { createId } from '../../store/create-id.ts'
import type { TopicRow } from '../../store/schema/subscriber.ts'
import type { Session } from '../../store/store.ts'

/** The key of a topic, chosen by callers. */
export const topicKeyField: z.ZodType<string> = key()

/** Returns a topic as API v2 shows it. */
export function toTopic(row: TopicRow): JsonObject {
  return compact({
    _id: row.id,
    key: row.key,
    name: row.name ?? undefined,
    data: row.data === null ? undefined : JSON.parse(row.data),
    createdAt: new Date(row.createdAt).toISOString(),
    updatedAt: new Date(row.updatedAt).toISOString(),
  })
}

/** Returns a topic of the call's environment, if it exists. */
export function lookUpTopic(
  db: Session,
  { environment }: Pick<CallContext, 'environment'>,
  topicKey: string,
): Promise<TopicRow | undefined> {
  return db
    .selectFrom('topics')
    .selectAll()
    .where('environmentId', '=', environment.id)
    .where('key', '=', topicKey)
    .executeTakeFirst()
}

/**
 * Returns a topic of the call's environment.
 *
 * @throws {ApiError} 404
 */
export async function findTopic(
  db: Session,
  context: Pick<CallContext, 'environment'>,
  topicKey: string,
): Promise<TopicRow> {
  const row = await lookUpTopic(db, context, topicKey)
  if (!row) throw notFound('Topic', topicKey)
  return row
}

export interface NewTopic {
  /** The topic key, chosen by the caller. */
  readonly key: string
  readonly name?: string | undefined
  readonly data?: JsonObject | undefined
}

/**
 * Creates a topic, or updates the one with the same key with the provided fields.
 *
 * @returns The row, and whether it is new.
 */
export async function storeTopic(
  tx: Session,
  context: CallContext,
  { key: topicKey, name, data }: NewTopic,
): Promise<{ readonly row: TopicRow; readonly isNew: boolean }> {
  const nowMs = context.clock.now()
  const id = createId(nowMs)
  const sent = {
    ...(name === undefined ? {} : { name }),
    ...(data === undefined ? {} : { data: JSON.stringify(data) }),
  }
  const inserted = await tx
    .insertInto('topics')
    .values({
      id,
      environmentId: context.environment.id,
      key: topicKey,
      name: null,
      data: null,
      ...sent,
      createdAt: nowMs,
      updatedAt: nowMs,
    })
    .onConflict((conflict) => conflict.columns(['environmentId', 'key']).doNothing())
    .executeTakeFirst()
  const isNew = (inserted.numInsertedOrUpdatedRows ?? 0n) > 0n
  if (!isNew && Object.keys(sent).length > 0)
    await tx
      .updateTable('topics')
      .set({ ...sent, updatedAt: nowMs })
      .where('environmentId', '=', context.environment.id)
      .where('key', '=', topicKey)
      .execute()
  return { row: await findTopic(tx, context, topicKey), isNew }
}

/**
 * Deletes a topic, and frees its key. If it has many subscriptions, the rest of them is removed in the background.
 * Subscriptions without a topic are not shown and have no effect.
 */
export async function removeTopic(tx: Session, ports: DeletionPorts, { id }: TopicRow): Promise<void> {
  await tx.deleteFrom('topics').where('id', '=', id).execute()
  await removeDeletedRows(tx, ports, { of: 'topic', topicId: id })
}
