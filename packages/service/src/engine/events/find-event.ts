import type { JsonObject } from '@trestle/protocol'
import { eventWindowMs } from '@trestle/run-rules'
import { type SelectQueryBuilder, sql } from 'kysely'
import { findPayloadFaults, UnusableSchemaError } from '../../schemas/check-payload.ts'
import type { EmittedEventRow, JobRow, RunRow } from '../../store/schema/run.ts'
import type { Tables } from '../../store/schema/tables.ts'
import type { Session } from '../../store/store.ts'
import { parseObject } from '../base/parse-json.ts'
import { toWaitKeys } from './event-keys.ts'

/** A job that waits for an event, with its run. */
export interface EventWait {
  readonly job: JobRow
  readonly run: RunRow
}

/** An event that a wait does not receive, because its payload does not match the step's schema. */
export interface RefusedEvent {
  readonly id: string
  readonly reason: string
}

/** The event that a wait receives, and those before it that it cannot receive. */
export interface FoundEvent {
  readonly event: EmittedEventRow | undefined
  readonly refused: readonly RefusedEvent[]
}

const pageSize = 20

/**
 * Returns a job that waits for an event; `undefined` if it no longer waits.
 *
 * @param db - The session.
 * @param jobId - Row id of the job.
 */
export async function loadEventWait(db: Session, jobId: string): Promise<EventWait | undefined> {
  const job = await db
    .selectFrom('jobs')
    .selectAll()
    .where('id', '=', jobId)
    .where('status', '=', 'delayed')
    .where('type', '=', 'wait_for_event')
    .where('stage', 'is', null)
    .executeTakeFirst()
  const run = job && (await db.selectFrom('runs').selectAll().where('id', '=', job.runId).executeTakeFirst())
  return job && run && { job, run }
}

/**
 * Finds the first event that a wait receives. It must have arrived after the run was triggered, at most a time window
 * before the wait started, and before the wait ends; no step of the run has received it.
 *
 * @param db - The session.
 * @param wait - The wait.
 * @param arrivedId - The id of an event that has arrived since the wait looked for earlier ones. Then only this event is
 *   considered, and earlier ones that have not reached all waits yet. @default all events are considered
 * @source service-api.md#wait-for-event
 */
export async function findEvent(db: Session, wait: EventWait, arrivedId?: string): Promise<FoundEvent> {
  const schema = parseObject(wait.job.outputs)['schema']
  const refused: RefusedEvent[] = []
  const sinceMs = await toSince(db, wait)
  for (let after = ''; ; ) {
    const page = await loadPage(db, wait, { sinceMs, after, arrivedId })
    for (const event of page) {
      const reason = schema === undefined ? undefined : await findFault(event, schema)
      if (reason === undefined) return { event, refused }
      refused.push({ id: event.id, reason })
    }
    if (page.length < pageSize) return { event: undefined, refused }
    after = page.at(-1)?.id ?? ''
  }
}

/** Returns whether a wait has not looked for earlier events yet. */
export async function isLookBackDue(db: Session, jobId: string): Promise<boolean> {
  const item = await db
    .selectFrom('queueItems')
    .select('id')
    // The condition of the partial index.
    .where(sql<boolean>`"kind" in ('start', 'look-back')`)
    .where('kind', '=', 'look-back')
    .where('subject', '=', jobId)
    .executeTakeFirst()
  return item !== undefined
}

/** A run may be created some time after its trigger, and the event may arrive in between. */
async function toSince(db: Session, { job, run }: EventWait): Promise<number> {
  const trigger = await db.selectFrom('triggers').select('createdAt').where('id', '=', run.triggerId).executeTakeFirst()
  return Math.max(trigger?.createdAt ?? run.createdAt, (job.calledAt ?? job.createdAt) - eventWindowMs)
}

function loadPage(
  db: Session,
  { job, run }: EventWait,
  {
    sinceMs,
    after,
    arrivedId,
  }: { readonly sinceMs: number; readonly after: string; readonly arrivedId: string | undefined },
): Promise<readonly EmittedEventRow[]> {
  const outputs = parseObject(job.outputs)
  const received = db.selectFrom('jobs').select('eventId').where('runId', '=', run.id).where('eventId', 'is not', null)
  return selectEventsFor(db, run, { name: String(outputs['event']), sinceMs, wanted: toWaitKeys(outputs).wanted })
    .where('createdAt', '<=', job.dueAt ?? Number.MAX_SAFE_INTEGER)
    .where('id', '>', after)
    .$if(arrivedId !== undefined, (query) => query.where('id', '<=', arrivedId ?? '').where('status', '=', 'open'))
    .where('id', 'not in', received as never)
    .limit(pageSize)
    .execute()
}

/** Selects events. */
export interface EventFilter {
  readonly name: string
  /** The time of the first one, in milliseconds since 1970. */
  readonly sinceMs: number
  /** The keys that they must have. */
  readonly wanted: readonly string[]
}

/**
 * Returns the query for the events that a run may receive, oldest first.
 *
 * @param db - The session.
 * @param run - The run.
 */
export function selectEventsFor(
  db: Session,
  { environmentId, externalSubscriberId }: Pick<RunRow, 'environmentId' | 'externalSubscriberId'>,
  { name, sinceMs, wanted }: EventFilter,
): SelectQueryBuilder<Tables, 'emittedEvents', EmittedEventRow> {
  let query = db
    .selectFrom('emittedEvents')
    .selectAll()
    .where('environmentId', '=', environmentId)
    .where('name', '=', name)
    .where('createdAt', '>=', sinceMs)
    .where((where) => where.or([where('recipient', 'is', null), where('recipient', '=', externalSubscriberId)]))
  for (const key of wanted) query = query.where(sql<boolean>`"keys" like ${`%${key}%`}`)
  return query.orderBy('id')
}

async function findFault(event: EmittedEventRow, schema: unknown): Promise<string | undefined> {
  const value: JsonObject = parseObject(event.payload)
  try {
    const [fault] = await findPayloadFaults({ schema: JSON.stringify(schema), value, owner: event.environmentId })
    if (!fault) return undefined
    return fault.field === '' ? fault.message : `${fault.field}: ${fault.message}`
  } catch (error) {
    if (!(error instanceof UnusableSchemaError)) throw error
    return `the schema of the step is invalid: ${error.message}`
  }
}
