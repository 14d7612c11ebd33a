import { sql } from 'kysely'
import type { TakenItem } from '../../queue/queue.ts'
import { isPostgres } from '../../store/prepared.ts'
import type { EmittedEventRow } from '../../store/schema/run.ts'
import type { Session } from '../../store/store.ts'
import type { EnginePorts } from '../port/engine-ports.ts'
import { receiveEvent } from './receive-event.ts'

/** So many runs are woken before other work has its turn. */
const pageSize = 100
/** So many at a time: they take turns with all other work. */
const sideBySide = 25

/** How far an event has come: the buckets that are left, and the last job of the first one. */
interface Cursor {
  readonly buckets: readonly string[]
  readonly after: string
}

/**
 * Wakes the next page of the runs that wait for an event, and queues the page after it behind other work. A run that
 * begins to wait meanwhile looks for the event itself. Does nothing for an event that has woken all.
 *
 * @param ports - The ports of the engine.
 * @param item - The work; its id is the event's.
 */
export async function spreadEvent(ports: EnginePorts, { id, lane, complete }: TakenItem): Promise<void> {
  const { store, queue } = ports
  const event = await store.db.selectFrom('emittedEvents').selectAll().where('id', '=', id).executeTakeFirst()
  const isOpen = event?.status === 'open'
  const next = isOpen ? await wakePage(ports, event) : undefined
  await store.transaction(async (tx) => {
    const values = next ? { cursor: JSON.stringify(next) } : ({ status: 'done', cursor: null } as const)
    if (isOpen) await tx.updateTable('emittedEvents').set(values).where('id', '=', id).execute()
    await complete(tx)
    if (next) await queue.add(tx, [{ kind: 'event', id, lane, priority: 'bulk' }])
  })
}

/**
 * Lets a step that has begun to wait look for an event that came before. It looks after its wait was stored, so an event
 * that is stored later finds the wait.
 *
 * @param ports - The ports of the engine.
 * @param item - The work; its id is the job's.
 */
export async function lookBack(ports: EnginePorts, { id, complete }: TakenItem): Promise<void> {
  await receiveEvent(ports, id, () => true)
  await complete(ports.store.db)
}

async function wakePage(ports: EnginePorts, event: EmittedEventRow): Promise<Cursor | undefined> {
  const { db } = ports.store
  const start = event.recipient === null ? await findBuckets(db, event) : ['']
  const { buckets, after }: Cursor = event.cursor === null ? { buckets: start, after: '' } : JSON.parse(event.cursor)
  const [bucket, ...rest] = buckets
  if (bucket === undefined) return undefined
  const page = await loadWaits(db, event, { bucket, after })
  for (let at = 0; at < page.length; at += sideBySide)
    await Promise.all(
      page.slice(at, at + sideBySide).map((jobId) => receiveEvent(ports, jobId, (one) => one === event.id)),
    )
  if (page.length === pageSize) return { buckets, after: page.at(-1) ?? '' }
  return rest.length > 0 ? { buckets: rest, after: '' } : undefined
}

/** The buckets of the event in which a run waits. */
async function findBuckets(db: Session, { environmentId, keys }: EmittedEventRow): Promise<readonly string[]> {
  const list = JSON.stringify(keys.split('|'))
  const listed = isPostgres(db)
    ? sql`json_array_elements_text(${list}::json) as "key"("value")`
    : sql`json_each(${list}) as "key"`
  const { rows } = await sql<{ readonly bucket: string }>`
    select "key"."value" as "bucket" from ${listed} where exists (
      select 1 from "jobs" where "environmentId" = ${environmentId} and "bucket" = "key"."value"
        and "status" = 'delayed' and "type" = 'wait_for_event')`.execute(db)
  return rows.map(({ bucket }) => bucket)
}

/** The waits of one bucket; for a certain subscriber, the waits of their runs. */
async function loadWaits(
  db: Session,
  { environmentId, recipient }: EmittedEventRow,
  { bucket, after }: { readonly bucket: string; readonly after: string },
): Promise<readonly string[]> {
  const waits = db
    .selectFrom('jobs')
    .select('jobs.id')
    .where('jobs.environmentId', '=', environmentId)
    .where('jobs.status', '=', sql.lit('delayed'))
    .where('jobs.type', '=', sql.lit('wait_for_event'))
    .where('jobs.id', '>', after)
    .orderBy('jobs.id')
    .limit(pageSize)
  const query =
    recipient === null
      ? waits.where('jobs.bucket', '=', bucket)
      : waits
          .innerJoin('runs', 'runs.id', 'jobs.runId')
          .innerJoin('subscribers', 'subscribers.id', 'runs.subscriberId')
          .where('subscribers.environmentId', '=', environmentId)
          .where('subscribers.subscriberId', '=', recipient)
          .where('runs.environmentId', '=', environmentId)
          .where('runs.status', '=', 'running')
  return (await query.execute()).map(({ id }) => id)
}
