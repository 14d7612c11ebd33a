import { sql } from 'kysely'
import { insertLate } from '../store/late-rows.ts'
import type { Session } from '../store/store.ts'
import { afterCommit } from '../store/transactions.ts'

/** Whose inbox it is, by row ids. */
export interface InboxOwner {
  /** The environment. */
  readonly environmentId: string
  /** The subscriber. */
  readonly subscriberId: string
}

/** What happened in an inbox. */
export interface InboxChange {
  /** Whether messages are new, or were changed or removed. */
  readonly kind: 'received' | 'changed'
  /** The messages. Many count as all. */
  readonly ids: readonly string[]
  /** The time, milliseconds since 1970. */
  readonly nowMs: number
}

/** A longer list of messages is not kept: reading all of them again costs less. */
const maxIds = 100

type Listener = (subscriberId: string) => void

// All transactions of one store have its adapter in common.
const listeners = new WeakMap<object, Set<Listener>>()

/**
 * Records what happened in an inbox, in the transaction in which it happens. The row of the subscriber's position is locked
 * until then, so positions become visible in their order and without gaps: whoever reads on after one misses nothing.
 */
export async function recordInboxChange(tx: Session, owner: InboxOwner, change: InboxChange): Promise<void> {
  const { environmentId, subscriberId } = owner
  const { kind, ids, nowMs } = change
  if (ids.length === 0) return
  const { position } = await tx
    .insertInto('inboxPositions')
    .values({ subscriberId, environmentId, position: 1 })
    .onConflict((conflict) =>
      conflict.column('subscriberId').doUpdateSet({ position: sql<number>`"inboxPositions"."position" + 1` }),
    )
    .returning('position')
    .executeTakeFirstOrThrow()
  const messageIds = ids.length > maxIds ? null : JSON.stringify(ids)
  await insertLate(tx, 'inboxChanges', [{ subscriberId, position, environmentId, kind, messageIds, createdAt: nowMs }])
  signalInbox(tx, subscriberId)
}

/** Tells those who listen in this process that something has happened in an inbox, once it is stored. */
export function signalInbox(tx: Session, subscriberId: string): void {
  afterCommit(tx, () => {
    for (const listener of listeners.get(tx.getExecutor().adapter) ?? []) listener(subscriberId)
  })
}

/**
 * Calls a function whenever this process has stored something that happened in an inbox.
 *
 * @returns Ends it.
 */
export function onInboxChange(db: Session, listener: Listener): () => void {
  const { adapter } = db.getExecutor()
  const those = listeners.get(adapter) ?? new Set()
  listeners.set(adapter, those)
  those.add(listener)
  return () => those.delete(listener)
}
