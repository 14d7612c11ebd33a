import { sql } from 'kysely'
import { insertLate } from '../store/late-rows.ts'
import { compilable, createQueryKey, runPrepared, toJson } from '../store/prepared.ts'
import type { InboxPositionRow } from '../store/schema/inbox.ts'
import { listOf } from '../store/shared/row-list.ts'
import { createSharedStatement } from '../store/shared/shared-statement.ts'
import type { Session } from '../store/store.ts'
import { afterCommit } from '../store/transactions.ts'

const takeInboxPositionsQuery = createQueryKey('take inbox positions')

/** The owner of the inbox, by row ids. */
export interface InboxOwner {
  readonly environmentId: string
  readonly subscriberId: string
}

/** A change in an inbox. */
export interface InboxChange {
  /** Whether messages are new, changed or removed. */
  readonly kind: 'received' | 'changed'
  /** The messages. A long list means all. */
  readonly ids: readonly string[]
  /** The time, in milliseconds since 1970. */
  readonly nowMs: number
}

/** A longer list is not stored, because reading all messages again costs less. */
const maxIds = 100

type Listener = (subscriberId: string) => void

// All transactions of a store share its adapter.
const listeners = new WeakMap<object, Set<Listener>>()

/**
 * Records a change in an inbox, in the transaction of the change. The row with the subscriber's position stays locked
 * until the commit, so positions become visible in order and without gaps: a reader who resumes after one misses
 * nothing.
 */
export async function recordInboxChange(tx: Session, owner: InboxOwner, change: InboxChange): Promise<void> {
  const { environmentId, subscriberId } = owner
  const { kind, ids, nowMs } = change
  if (ids.length === 0) return
  const position = await takePosition(tx, { environmentId, subscriberId })
  const messageIds = ids.length > maxIds ? null : JSON.stringify(ids)
  await insertLate(tx, 'inboxChanges', [{ subscriberId, position, environmentId, kind, messageIds, createdAt: nowMs }])
  signalInbox(tx, subscriberId)
}

const takePosition = createSharedStatement<InboxOwner, number>({
  keyOf: ({ subscriberId }) => subscriberId,
  async run(tx, owners) {
    // Transactions that lock rows in the same order cannot deadlock.
    const sorted = owners.toSorted((left, right) => (left.subscriberId < right.subscriberId ? -1 : 1))
    const text = toJson(sorted.map(({ environmentId, subscriberId }) => ({ subscriberId, environmentId, position: 1 })))
    const list = { table: 'inboxPositions', columns: ['subscriberId', 'environmentId', 'position'] } as const
    const { rows } = await runPrepared(tx, {
      key: takeInboxPositionsQuery,
      values: [text],
      build: () =>
        compilable(
          tx,
          sql<InboxPositionRow>`insert into "inboxPositions" ("subscriberId", "environmentId", "position")
            select "subscriberId", "environmentId", "position" from ${listOf(tx, list, text)} as "new" where true
            on conflict ("subscriberId") do update set "position" = "inboxPositions"."position" + 1
            returning "subscriberId", "position"`,
        ),
    })
    const positionOf = new Map(rows.map(({ subscriberId, position }) => [subscriberId, position]))
    return owners.map(({ subscriberId }) => {
      const position = positionOf.get(subscriberId)
      if (position === undefined) throw new Error('An inbox has no position.')
      return position
    })
  },
})

/** Notifies listeners in this process of a committed change in an inbox. */
export function signalInbox(tx: Session, subscriberId: string): void {
  afterCommit(tx, () => {
    for (const listener of listeners.get(tx.getExecutor().adapter) ?? []) listener(subscriberId)
  })
}

/**
 * Calls a function after each inbox change that this process has committed.
 *
 * @returns A function that unsubscribes.
 */
export function onInboxChange(db: Session, listener: Listener): () => void {
  const { adapter } = db.getExecutor()
  const those = listeners.get(adapter) ?? new Set()
  listeners.set(adapter, those)
  those.add(listener)
  return () => those.delete(listener)
}
