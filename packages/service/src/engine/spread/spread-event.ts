import { type RawBuilder, sql } from 'kysely'
import type { TakenItem } from '../../queue/queue.ts'
import { isPostgres } from '../../store/prepared.ts'
import type { EmittedEventRow } from '../../store/schema/run.ts'
import type { Session } from '../../store/store.ts'
import { inTurns, pageSize } from '../base/in-turns.ts'
import { receiveEvent } from '../events/receive-event.ts'
import type { EnginePorts } from '../port/engine-ports.ts'
import { cancelPage } from './cancel-by-event.ts'
import type { EventPage } from './page.ts'

/** An event first cancels runs, so that it does not wake them. */
const stages = ['cancel', 'wake'] as const

type Stage = (typeof stages)[number]

/** The progress of an event: the remaining buckets of the stage, and the last processed row of the first one. */
interface Cursor {
  readonly stage: Stage
  readonly buckets: readonly string[]
  readonly after: string
}

/**
 * Cancels or wakes the next page of the runs that wait for an event, and queues the following page after other work. A
 * run that starts to wait at the same time looks for the event itself. Does nothing for an event that has reached all.
 *
 * @param ports - The ports of the engine.
 * @param item - The work; its id is the event's.
 */
export async function spreadEvent(ports: EnginePorts, { id, lane, complete }: TakenItem): Promise<void> {
  const { store, queue } = ports
  const event = await store.db.selectFrom('emittedEvents').selectAll().where('id', '=', id).executeTakeFirst()
  const isOpen = event?.status === 'open'
  const next = isOpen ? await takePage(ports, event) : undefined
  await store.transaction(async (tx) => {
    const values = next ? { cursor: JSON.stringify(next) } : ({ status: 'done', cursor: null } as const)
    if (isOpen) await tx.updateTable('emittedEvents').set(values).where('id', '=', id).execute()
    await complete(tx)
    if (next) await queue.add(tx, [{ kind: 'event', id, lane, priority: 'bulk' }])
  })
}

/**
 * Lets a step that has started to wait look for an earlier event. It looks after its wait was stored, so an event that
 * is stored later finds the wait.
 *
 * @param ports - The ports of the engine.
 * @param item - The work; its id is the job's.
 */
export async function lookBack(ports: EnginePorts, { id, complete }: TakenItem): Promise<void> {
  await receiveEvent(ports, id, 'start')
  await complete(ports.store.db)
}

async function takePage(ports: EnginePorts, event: EmittedEventRow): Promise<Cursor | undefined> {
  const cursor = event.cursor === null ? await begin(ports.store.db, event, 0) : (JSON.parse(event.cursor) as Cursor)
  if (!cursor) return undefined
  const { stage, buckets, after } = cursor
  const [bucket = '', ...rest] = buckets
  const ids = await handlers[stage](ports, event, { bucket, after })
  if (ids.length === pageSize) return { stage, buckets, after: ids.at(-1) ?? '' }
  if (rest.length > 0) return { stage, buckets: rest, after: '' }
  return begin(ports.store.db, event, stages.indexOf(stage) + 1)
}

/** Starts the first stage that has work. */
async function begin(db: Session, event: EmittedEventRow, index: number): Promise<Cursor | undefined> {
  const stage = stages[index]
  if (!stage) return undefined
  // The waits of a single subscriber are found through the subscriber's runs.
  const isAll = stage === 'cancel' || event.recipient === null
  const buckets = isAll ? await findBuckets(db, stage, event) : ['']
  return buckets.length > 0 ? { stage, buckets, after: '' } : begin(db, event, index + 1)
}

const handlers: Readonly<
  Record<Stage, (ports: EnginePorts, event: EmittedEventRow, page: EventPage) => Promise<readonly string[]>>
> = { cancel: cancelPage, wake: wakePage }

async function wakePage(ports: EnginePorts, event: EmittedEventRow, page: EventPage): Promise<readonly string[]> {
  const ids = await loadWaits(ports.store.db, event, page)
  await inTurns(ids, (jobId) => receiveEvent(ports, jobId, event))
  return ids
}

const sources: Readonly<Record<Stage, RawBuilder<unknown>>> = {
  cancel: sql`"cancelWatches" where true`,
  wake: sql`"jobs" where "status" = 'delayed' and "type" = 'wait_for_event'`,
}

/** The event's buckets that contain a run. */
async function findBuckets(
  db: Session,
  stage: Stage,
  { environmentId, keys }: EmittedEventRow,
): Promise<readonly string[]> {
  const list = JSON.stringify(keys.split('|'))
  const listed = isPostgres(db)
    ? sql`json_array_elements_text(${list}::json) as "key"("value")`
    : sql`json_each(${list}) as "key"`
  const { rows } = await sql<{ readonly bucket: string }>`
    select "key"."value" as "bucket" from ${listed} where exists (
      select 1 from ${sources[stage]} and "environmentId" = ${environmentId} and "bucket" = "key"."value")`.execute(db)
  return rows.map(({ bucket }) => bucket)
}

/** The waits of one bucket; for a certain subscriber, the waits of their runs. */
async function loadWaits(
  db: Session,
  { environmentId, recipient }: EmittedEventRow,
  { bucket, after }: EventPage,
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
