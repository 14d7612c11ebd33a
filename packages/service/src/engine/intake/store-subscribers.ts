import type { JsonObject } from '@trestle/protocol'
import { blankSubscriber } from '../../store/blank-rows.ts'
import { createId } from '../../store/create-id.ts'
import type { SubscriberRow } from '../../store/schema/subscriber.ts'
import type { Session } from '../../store/store.ts'
import type { NamedRecipient } from '../decision/recipient.ts'
import { mergeChannels } from './merge-channels.ts'

const textFields = ['firstName', 'lastName', 'email', 'phone', 'avatar', 'locale', 'timezone'] as const

/** The environment and the time of stored recipients. */
export interface StoreTime {
  /** Row id of the environment. */
  readonly environmentId: string
  /** The time, in milliseconds since 1970. */
  readonly nowMs: number
}

/**
 * Creates missing subscribers for recipients, and updates existing ones with the fields of the trigger.
 *
 * @param recipients - The recipients, without duplicates.
 * @returns Their rows, one per recipient, in the same order.
 */
export async function storeSubscribers(
  tx: Session,
  recipients: readonly NamedRecipient[],
  at: StoreTime,
): Promise<readonly SubscriberRow[]> {
  if (recipients.length === 0) return []
  const existing = await findSubscribers(tx, recipients, at)
  const missing = recipients.filter(({ subscriberId }) => !existing.has(subscriberId))
  const created = missing.length === 0 ? [] : await create(tx, missing, at)
  const rowsById = new Map([...existing, ...created.map((row) => [row.subscriberId, row] as const)])
  const rows: SubscriberRow[] = []
  for (const recipient of recipients) {
    const row = rowsById.get(recipient.subscriberId)
    if (!row) throw new Error(`The subscriber ${JSON.stringify(recipient.subscriberId)} was not stored.`)
    rows.push(await update(tx, row, { recipient, at }))
  }
  return rows
}

/** Locks the rows of subscribers that were created concurrently, so that they cannot be deleted before they are read. */
function create(tx: Session, recipients: readonly NamedRecipient[], at: StoreTime): Promise<readonly SubscriberRow[]> {
  return tx
    .insertInto('subscribers')
    .values(recipients.map((recipient) => toRow(recipient, at)))
    .onConflict((conflict) =>
      conflict.columns(['environmentId', 'subscriberId']).doUpdateSet({ environmentId: at.environmentId }),
    )
    .returningAll()
    .execute()
}

/** Returns the existing subscribers among recipients, by subscriber id. */
export async function findSubscribers(
  tx: Session,
  recipients: readonly Pick<NamedRecipient, 'subscriberId'>[],
  { environmentId }: Pick<StoreTime, 'environmentId'>,
): Promise<ReadonlyMap<string, SubscriberRow>> {
  const rows = await tx
    .selectFrom('subscribers')
    .selectAll()
    .where('environmentId', '=', environmentId)
    .where(
      'subscriberId',
      'in',
      recipients.map(({ subscriberId }) => subscriberId),
    )
    .execute()
  return new Map(rows.map((row) => [row.subscriberId, row]))
}

/** A new row has all fields except channels, which are merged later. */
function toRow({ subscriberId, fields }: NamedRecipient, { environmentId, nowMs }: StoreTime): SubscriberRow {
  const times = { createdAt: nowMs, updatedAt: nowMs }
  return { ...blankSubscriber, id: createId(nowMs), environmentId, subscriberId, ...times, ...toColumns(fields) }
}

/** Returns the columns for fields, except channels. */
function toColumns(fields: JsonObject): Partial<SubscriberRow> {
  const { data } = fields
  return {
    ...Object.fromEntries(textFields.flatMap((name) => toText(fields, name))),
    ...(data !== undefined && { data: data === null ? null : JSON.stringify(data) }),
  }
}

/** Locks the row, because new channels are computed from the stored ones. */
async function lock(tx: Session, { id }: SubscriberRow): Promise<SubscriberRow | undefined> {
  return tx
    .updateTable('subscribers')
    .set((row) => ({ channels: row.ref('channels') }))
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst()
}

async function update(
  tx: Session,
  storedRow: SubscriberRow,
  { recipient, at }: { readonly recipient: NamedRecipient; readonly at: StoreTime },
): Promise<SubscriberRow> {
  const { channels } = recipient.fields
  const row = (Array.isArray(channels) && (await lock(tx, storedRow))) || storedRow
  const next: SubscriberRow = {
    ...row,
    ...toColumns(recipient.fields),
    ...(Array.isArray(channels) && { channels: await mergeChannels(tx, row, channels as readonly JsonObject[]) }),
  }
  const names = [...textFields, 'data', 'channels'] as const
  if (names.every((name) => next[name] === row[name])) return row
  const changedColumns = Object.fromEntries(
    names.filter((name) => next[name] !== row[name]).map((name) => [name, next[name]]),
  )
  const updatedAt = at.nowMs
  await tx
    .updateTable('subscribers')
    .set({ ...changedColumns, updatedAt })
    .where('id', '=', row.id)
    .execute()
  return { ...next, updatedAt }
}

/** An empty email address counts as none. */
function toText(fields: JsonObject, name: string): readonly (readonly [string, string | null])[] {
  const text = Object.hasOwn(fields, name) ? fields[name] : undefined
  const value = name === 'email' && text === '' ? null : text
  return typeof value === 'string' || value === null ? [[name, value]] : []
}
