import type { TakenItem } from '../../queue/queue.ts'
import type { CancelWatchRow, EmittedEventRow, RunRow } from '../../store/schema/run.ts'
import type { Session } from '../../store/store.ts'
import { inTurns, pageSize } from '../base/in-turns.ts'
import { cancelRun } from '../control/cancel-run.ts'
import { selectEventsFor } from '../events/find-event.ts'
import type { EnginePorts } from '../port/engine-ports.ts'
import type { EventPage } from './page.ts'

type Watch = Pick<CancelWatchRow, 'id' | 'runId' | 'keys' | 'since'> & Pick<RunRow, 'status' | 'externalSubscriberId'>

/**
 * Cancels the next page of the runs that an event cancels.
 *
 * @param ports - The ports of the engine.
 * @param event - The event.
 * @param page - The start of the page.
 * @returns The ids of the page's rows.
 */
export async function cancelPage(
  ports: EnginePorts,
  event: EmittedEventRow,
  page: EventPage,
): Promise<readonly string[]> {
  const { db } = ports.store
  const watches = await loadWatches(db, event, page)
  const keys = new Set(event.keys.split('|'))
  const over: string[] = []
  await inTurns(watches, async (watch) => {
    const isActive = watch.status === 'running' || watch.status === 'merged'
    if (isActive && !isCanceledBy(watch, event, keys)) return
    if (isActive) await cancelRun(ports, watch.runId, { by: 'event', event: event.name, eventId: event.id })
    over.push(watch.id)
  })
  if (over.length > 0) await db.deleteFrom('cancelWatches').where('id', 'in', over).execute()
  return watches.map(({ id }) => id)
}

function isCanceledBy(
  { since, externalSubscriberId, keys: wanted }: Watch,
  { createdAt, recipient }: EmittedEventRow,
  keys: ReadonlySet<string>,
): boolean {
  if (createdAt < since || (recipient !== null && recipient !== externalSubscriberId)) return false
  return (JSON.parse(wanted) as readonly string[]).every((key) => keys.has(key))
}

function loadWatches(
  db: Session,
  { environmentId }: EmittedEventRow,
  { bucket, after }: EventPage,
): Promise<readonly Watch[]> {
  return db
    .selectFrom('cancelWatches as watch')
    .innerJoin('runs', 'runs.id', 'watch.runId')
    .select(['watch.id', 'watch.runId', 'watch.keys', 'watch.since', 'runs.status', 'runs.externalSubscriberId'])
    .where('watch.environmentId', '=', environmentId)
    .where('watch.bucket', '=', bucket)
    .where('watch.id', '>', after)
    .orderBy('watch.id')
    .limit(pageSize)
    .execute()
}

/**
 * Starts a run that events may cancel. An event that arrived after its trigger and before the run was stored cancels
 * it; a later event finds the run.
 *
 * @param ports - The ports of the engine.
 * @param item - The work; its id is the run's.
 */
export async function startRun(ports: EnginePorts, { id, lane, priority, complete }: TakenItem): Promise<void> {
  const { store, queue } = ports
  const event = await findEarlierEvent(store.db, id)
  if (event) await cancelRun(ports, id, { by: 'event', event: event.name, eventId: event.id })
  await store.transaction(async (tx) => {
    await complete(tx)
    if (event) return
    const work = await loadFirstWork(tx, id)
    await queue.add(
      tx,
      work.map((one) => ({ ...one, lane, ...(priority && { priority }) })),
    )
  })
}

async function findEarlierEvent(db: Session, runId: string): Promise<EmittedEventRow | undefined> {
  const run = await db.selectFrom('runs').selectAll().where('id', '=', runId).executeTakeFirst()
  const watches = await db.selectFrom('cancelWatches').selectAll().where('runId', '=', runId).execute()
  for (const { event: name, since: sinceMs, keys } of run ? watches : []) {
    const wanted = JSON.parse(keys) as readonly string[]
    const event = run && (await selectEventsFor(db, run, { name, sinceMs, wanted }).limit(1).executeTakeFirst())
    if (event) return event
  }
  return undefined
}

/** A call that asks the bridge for the next step, or the planned jobs that wait for nothing. */
async function loadFirstWork(tx: Session, runId: string): Promise<readonly { kind: string; id: string }[]> {
  const run = await tx.selectFrom('runs').select('next').where('id', '=', runId).executeTakeFirst()
  if (run && run.next !== null) return [{ kind: 'next', id: runId }]
  const jobs = await tx
    .selectFrom('jobs')
    .select('id')
    .where('runId', '=', runId)
    .where('status', '=', 'queued')
    .orderBy('position')
    .execute()
  return jobs.map(({ id }) => ({ kind: 'job', id }))
}
