import { notFound } from '../../api/api-error.ts'
import { removeDeletedRows } from '../../background/deleted-rows.ts'
import type { CallContext } from '../../context/service-context.ts'
import { storeSubscribers } from '../../engine/intake/store-subscribers.ts'
import { signalInbox } from '../../messages/record-inbox-change.ts'
import type { SubscriberRow } from '../../store/schema/subscriber.ts'
import type { Session } from '../../store/store.ts'
import { findSubscriber } from './find-subscriber.ts'
import type { ChannelBody, SubscriberProfile } from './subscriber-fields.ts'

/** A subscriber as a caller sends it. */
export interface SubscriberBody extends SubscriberProfile {
  /** The subscriber id, chosen by the caller. */
  readonly subscriberId: string
  readonly channels?: readonly ChannelBody[] | undefined
}

export interface StoredSubscriber {
  readonly row: SubscriberRow
  /** Whether it was created. */
  readonly isNew: boolean
}

/**
 * Creates subscribers, or updates existing ones with the provided fields.
 *
 * @param bodies - The subscribers, without duplicates.
 * @returns The rows, in the same order.
 */
export async function storeAll(
  tx: Session,
  { environment, clock }: CallContext,
  bodies: readonly SubscriberBody[],
): Promise<readonly StoredSubscriber[]> {
  const at = { environmentId: environment.id, nowMs: clock.now() }
  const before = await tx
    .selectFrom('subscribers')
    .select('subscriberId')
    .where('environmentId', '=', at.environmentId)
    .where(
      'subscriberId',
      'in',
      bodies.map(({ subscriberId }) => subscriberId),
    )
    .execute()
  const existingIds = new Set(before.map(({ subscriberId }) => subscriberId))
  const recipients = bodies.map(({ subscriberId, ...fields }) => ({ subscriberId, fields }))
  const rows = await storeSubscribers(tx, recipients, at)
  return rows.map((row) => ({ row, isNew: !existingIds.has(row.subscriberId) }))
}

/**
 * Creates a subscriber, or updates the existing one with the provided fields.
 *
 * @throws {ApiError} 404 if another call deletes it concurrently.
 */
export async function storeSubscriber(
  tx: Session,
  context: CallContext,
  body: SubscriberBody,
): Promise<StoredSubscriber> {
  const [stored] = await storeAll(tx, context, [body])
  if (!stored) throw notFound('Subscriber', body.subscriberId)
  return stored
}

/**
 * Deletes a subscriber with its messages, preferences, subscriptions, connections and endpoints. Its runs are canceled
 * first, and keep only the subscriber id, their payload and their history. Its conversations are kept without an owner.
 * If it has many messages or runs, the rest of them is removed in the background.
 *
 * @throws {ApiError} 404
 */
export async function removeSubscriber(context: CallContext, subscriberId: string): Promise<void> {
  const { store, engine, environment } = context
  const { id } = await findSubscriber(store.db, context, subscriberId)
  await engine.cancelRecipient({ environmentId: environment.id, subscriberRowId: id })
  await store.transaction(async (tx) => {
    await removeRows(tx, environment.id, { id, subscriberId })
    const ofSubscriber = { environmentId: environment.id, rowId: id, subscriberId, lastRunId: '' }
    await removeDeletedRows(tx, context, { of: 'subscriber', ...ofSubscriber })
  })
}

/** Removes the rows by which others find the subscriber, so that it can no longer be seen or addressed. */
async function removeRows(
  tx: Session,
  environmentId: string,
  { id, subscriberId }: Pick<SubscriberRow, 'id' | 'subscriberId'>,
): Promise<void> {
  await tx.deleteFrom('subscribers').where('id', '=', id).execute()
  await tx.deleteFrom('inboxPositions').where('subscriberId', '=', id).execute()
  signalInbox(tx, id)
  await tx.deleteFrom('preferences').where('subscriberId', '=', id).execute()
  await tx
    .deleteFrom('topicSubscriptions')
    .where('environmentId', '=', environmentId)
    .where('subscriberId', '=', id)
    .execute()
  // These rows refer to the subscriber by subscriber id, which a later subscriber may reuse.
  for (const table of ['channelEndpoints', 'channelConnections'] as const)
    await tx
      .deleteFrom(table)
      .where('environmentId', '=', environmentId)
      .where('subscriberId', '=', subscriberId)
      .execute()
  await tx
    .updateTable('conversations')
    .set({ subscriberId: null })
    .where('environmentId', '=', environmentId)
    .where('subscriberId', '=', subscriberId)
    .execute()
}
