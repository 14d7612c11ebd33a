import { type SelectQueryBuilder, sql } from 'kysely'
import { systemClock } from '../clock/clock.ts'
import type { ServiceContext } from '../context/service-context.ts'
import { removeConversations } from '../conversations/base/remove-conversations.ts'
import { sessionMs } from '../inbox/session-token.ts'
import type { Tables } from '../store/schema/tables.ts'
import type { Session } from '../store/store.ts'

const everyMs = 60_000
const batch = 500
/** A platform sends an event again for an hour at most. */
const platformEventsMs = 24 * 60 * 60_000

/** A stream resumes within the life of its session; later it reads everything again. */
const keptChangesMs = 2 * sessionMs

/** Work that goes on in the background. */
export interface Retention {
  /** Removes what is too old now, and returns how many runs that were. */
  sweep(): Promise<number>
  /** Begins to sweep once a minute. */
  start(): void
  /** Ends that. */
  stop(): Promise<void>
}

/**
 * Creates the removal of finished runs that are older than the settings say, with all that belongs to them except
 * in-app messages' recipients and events of digests that are not over, of conversations in which nothing has happened for
 * as long, of what digests and throttles remember of earlier runs, and of idempotency keys whose time is over.
 */
export function createRetention({ store, clock, settings, logger }: ServiceContext): Retention {
  const stopping = new AbortController()
  let sweeping: Promise<unknown> = Promise.resolve()

  async function sweep(): Promise<number> {
    const nowMs = clock.now()
    await store.db.deleteFrom('idempotency').where('expiresAt', '<=', nowMs).execute()
    await store.db
      .deleteFrom('platformEvents')
      .where('createdAt', '<=', nowMs - platformEventsMs)
      .execute()
    await store.db
      .deleteFrom('inboxChanges')
      .where('createdAt', '<=', nowMs - keptChangesMs)
      .execute()
    if (settings.retentionMs === 0) return 0
    const before = nowMs - settings.retentionMs
    let total = 0
    for (;;) {
      const count = await store.transaction((tx) => removeRuns(tx, before))
      total += count
      if (count < batch || stopping.signal.aborted) break
    }
    await store.transaction((tx) => removeRest(tx, before))
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

async function removeRuns(tx: Session, before: number): Promise<number> {
  const rows = await selectOld(tx, before).execute()
  const ids = rows.map(({ id }) => id)
  if (ids.length === 0) return 0
  for (const table of ['jobs', 'executionDetails', 'messages', 'outbox', 'bridgeCalls'] as const)
    await tx.deleteFrom(table).where('runId', 'in', ids).execute()
  await tx.deleteFrom('runs').where('id', 'in', ids).execute()
  return ids.length
}

/**
 * Returns the query for the runs that are removed next.
 *
 * @param db - Where from.
 * @param before - What ended before it is old, milliseconds since 1970.
 */
export function selectOld(db: Session, before: number): SelectQueryBuilder<Tables, 'runs', { id: string }> {
  return db
    .selectFrom('runs')
    .select('id')
    .where('finishedAt', 'is not', null)
    .where('finishedAt', '<', before)
    .where(({ not, exists }) => not(exists(openDigestsOf(db))))
    .limit(batch)
}

/** A run that a digest took in is over at once; its event is read when the digest ends, and told by the digest's run. */
function openDigestsOf(tx: Session) {
  return (
    tx
      .selectFrom('jobs as taken')
      .innerJoin('jobs as digest', 'digest.id', 'taken.mergedIntoId')
      .innerJoin('runs as owner', 'owner.id', 'digest.runId')
      .select('taken.id')
      .whereRef('taken.runId', '=', sql.ref('runs.id'))
      .where('owner.finishedAt', 'is', null)
      // With an offset PostgreSQL asks it of each old run; it would look for open ones among all runs first.
      .limit(1)
      .offset(0)
  )
}

/** Triggers go when no run of theirs is left, calls that belong to no run when they are old. */
async function removeRest(tx: Session, before: number): Promise<void> {
  await tx
    .deleteFrom('triggers')
    .where('createdAt', '<', before)
    .where('status', 'in', ['done', 'duplicate', 'failed', 'canceled'])
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('runs').select('runs.id').whereRef('runs.triggerId', '=', 'triggers.id'))),
    )
    .execute()
  await tx.deleteFrom('bridgeCalls').where('runId', 'is', null).where('createdAt', '<', before).execute()
  await tx.deleteFrom('inboundMails').where('createdAt', '<', before).where('status', '!=', 'pending').execute()
  await tx.deleteFrom('throttles').where('endAt', '<', before).execute()
  // One that is not open is asked for its last event only.
  await tx
    .deleteFrom('digests')
    .where('jobId', 'is', null)
    .where('updatedAt', '<', before)
    .where(({ or, eb }) => or([eb('dueAt', 'is', null), eb('dueAt', '<', before)]))
    .execute()
}
