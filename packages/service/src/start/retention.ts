import { type RawBuilder, type SelectQueryBuilder, sql } from 'kysely'
import { attemptsLifeMs } from '../accounts/sign-in/attempts.ts'
import { systemClock } from '../clock/clock.ts'
import type { ServiceContext } from '../context/service-context.ts'
import { removeConversations } from '../conversations/base/remove-conversations.ts'
import { selectOldEvents } from '../engine/spread/old-events.ts'
import { sessionMs } from '../inbox/session-token.ts'
import { isPostgres } from '../store/prepared.ts'
import { runTables } from '../store/schema/owned-rows.ts'
import type { Tables } from '../store/schema/tables.ts'
import { removeBatch } from '../store/shared/remove-batch.ts'
import type { Session } from '../store/store.ts'

const everyMs = 60_000
/** With 500 runs, a transaction of the embedded database takes a third of a second. */
const batch = 100
/** Platforms resend an event for an hour at most. */
const platformEventsMs = 24 * 60 * 60_000

/** Streams resume within the life of their session; after that, they reload everything. */
const keptChangesMs = 2 * sessionMs

/** A table, and the condition of the rows to remove. */
type OldRows = readonly [table: keyof Tables, where: RawBuilder<unknown>]

/** Background work. */
export interface Retention {
  /** Removes expired data now, and returns the number of removed runs. */
  sweep(): Promise<number>
  /** Starts to sweep once a minute. */
  start(): void
  stop(): Promise<void>
}

/**
 * Creates the removal of expired data: finished runs with their messages, inactive conversations, expired digest and
 * throttle state, and expired idempotency keys. Runs are kept while an open digest, a waiting step or a recent inbox
 * message needs them.
 */
export function createRetention({ store, clock, settings, logger }: ServiceContext): Retention {
  const stopping = new AbortController()
  let sweeping: Promise<unknown> = Promise.resolve()

  /** Works in small batches, so that other work runs in between. */
  async function removeRows(table: keyof Tables, where: RawBuilder<unknown>): Promise<void> {
    for (let count = batch; count === batch && !stopping.signal.aborted; )
      count = await removeBatch(store.db, { table, where, limit: batch })
  }

  async function sweep(): Promise<number> {
    const nowMs = clock.now()
    for (const [table, where] of selectExpired(nowMs, settings.accounts)) await removeRows(table, where)
    for (const where of await selectOldEvents(store.db, nowMs)) await removeRows('emittedEvents', where)
    if (settings.retentionMs === 0) return 0
    const before = nowMs - settings.retentionMs
    let total = 0
    for (;;) {
      const count = await store.transaction((tx) => removeRuns(tx, before))
      total += count
      if (count < batch || stopping.signal.aborted) break
    }
    for (const [table, where] of selectRest(before)) await removeRows(table, where)
    while (
      (await store.transaction((tx) => removeConversations(tx, { before, batch }))) === batch &&
      !stopping.signal.aborted
    );
    return total
  }

  async function loop(): Promise<void> {
    while (!stopping.signal.aborted) {
      await sweep().catch((error: unknown) => logger.error({ err: error }, 'old runs could not be removed'))
      await systemClock.sleep(everyMs, stopping.signal)
    }
  }

  return {
    sweep,
    start() {
      sweeping = loop()
    },
    async stop() {
      stopping.abort()
      await sweeping
    },
  }
}

/** Returns the conditions of rows that expire even if runs are kept forever. */
function selectExpired(nowMs: number, { auditRetentionMs }: { readonly auditRetentionMs: number }): readonly OldRows[] {
  return [
    ['idempotency', sql`"expiresAt" <= ${nowMs}`],
    ['platformEvents', sql`"createdAt" <= ${nowMs - platformEventsMs}`],
    ['inboxChanges', sql`"createdAt" <= ${nowMs - keptChangesMs}`],
    ['accountSessions', sql`"expiresAt" <= ${nowMs}`],
    ['accountLinks', sql`"expiresAt" <= ${nowMs}`],
    ['attempts', sql`"refilledAt" <= ${nowMs - attemptsLifeMs}`],
    ...(auditRetentionMs > 0 ? [['auditEntries', sql`"createdAt" <= ${nowMs - auditRetentionMs}`] as const] : []),
  ]
}

async function removeRuns(tx: Session, before: number): Promise<number> {
  const rows = await selectOld(tx, before).execute()
  const ids = rows.map(({ id }) => id)
  if (ids.length === 0) return 0
  for (const table of runTables) await tx.deleteFrom(table).where('runId', 'in', ids).execute()
  await tx.deleteFrom('runs').where('id', 'in', ids).execute()
  return ids.length
}

/**
 * Returns the query for the next runs to remove.
 *
 * @param before - The time before which a run must have ended, in milliseconds since 1970.
 */
export function selectOld(db: Session, before: number): SelectQueryBuilder<Tables, 'runs', { id: string }> {
  return db
    .selectFrom('runs')
    .select('id')
    .where('finishedAt', 'is not', null)
    .where('finishedAt', '<', before)
    .where(({ not, exists }) => not(exists(openDigestsOf(db))))
    .where(({ not, exists }) => not(exists(awaitingStepOf(db))))
    .where(({ not, exists }) => not(exists(recentMessageOf(db, before))))
    .limit(batch)
}

/** A run merged into a digest ends at once; its event is read when the digest ends, and belongs to the digest's run. */
function openDigestsOf(tx: Session) {
  return (
    tx
      .selectFrom('jobs as taken')
      .innerJoin('jobs as digest', 'digest.id', 'taken.mergedIntoId')
      .innerJoin('runs as owner', 'owner.id', 'digest.runId')
      .select('taken.id')
      .whereRef('taken.runId', '=', sql.ref('runs.id'))
      .where('owner.finishedAt', 'is', null)
      // With an offset, PostgreSQL evaluates the condition per old run; otherwise it would scan all runs for open ones
      // first.
      .limit(1)
      .offset(0)
  )
}

/** The result of a step that awaits several runs contains all of them, so none is removed before it ends. */
function awaitingStepOf(tx: Session) {
  return tx
    .selectFrom('jobs as awaiting')
    .select('awaiting.id')
    .whereRef('awaiting.id', '=', sql.ref('runs.parentJobId'))
    .where('awaiting.status', '=', 'delayed')
    .limit(1)
    .offset(0)
}

/** A snooze may be longer than the retention period, which starts again when the message is back in the inbox. */
function recentMessageOf(tx: Session, before: number) {
  const last = isPostgres(tx)
    ? sql<number>`("message"."deliveredAt"::json ->> -1)::bigint`
    : sql<number>`json_extract("message"."deliveredAt", '$[#-1]')`
  return tx
    .selectFrom('messages as message')
    .select('message.id')
    .whereRef('message.runId', '=', sql.ref('runs.id'))
    .where(({ or, eb }) => or([eb('message.snoozedUntil', '>=', before), eb(last, '>=', before)]))
    .limit(1)
    .offset(0)
}

/** Other expired data: triggers without runs, and old calls without a run. */
function selectRest(before: number): readonly OldRows[] {
  return [
    [
      'triggers',
      sql`"createdAt" < ${before} and "status" in ('done', 'duplicate', 'failed', 'canceled')
        and not exists (select 1 from "runs" where "runs"."triggerId" = "triggers"."id")`,
    ],
    ['bridgeCalls', sql`"runId" is null and "createdAt" < ${before}`],
    ['inboundMails', sql`"createdAt" < ${before} and "status" <> 'pending'`],
    ['webhookDeliveries', sql`"createdAt" < ${before} and "status" <> 'pending'`],
    ['throttles', sql`"endAt" < ${before}`],
    // A closed digest only keeps the time of its last event.
    ['digests', sql`"jobId" is null and "updatedAt" < ${before} and ("dueAt" is null or "dueAt" < ${before})`],
  ]
}
