import type { JsonObject } from '@trestle/protocol'
import { type DigestEvent, toDigestResult } from '@trestle/run-rules'
import { sql } from 'kysely'
import type { JobRow } from '../../store/schema/run.ts'
import type { Session } from '../../store/store.ts'
import { parseObject } from '../base/parse-json.ts'

/**
 * The limits of a digest's result, which is part of every later call. Bridges accept calls of up to 10 MiB, which also
 * contain the run's payload, the subscriber and other results.
 */
const maxEvents = 1_000
const maxPayloadBytes = 4 * 1024 * 1024

/**
 * Returns the result of a digest: its events, up to the limits, and the number of all events. If there are too many, the
 * newest ones are included.
 *
 * @param job - The digest; no events can be added to it.
 */
export async function collectEvents(tx: Session, job: JobRow): Promise<JsonObject> {
  const collected = tx
    .selectFrom('jobs')
    .innerJoin('runs', 'runs.id', 'jobs.runId')
    .where((where) =>
      where.or([
        where('jobs.id', '=', job.id),
        where.and([where('jobs.mergedIntoId', '=', job.id), where('jobs.status', '=', 'merged')]),
      ]),
    )
  const { count } = await collected.select(({ fn }) => fn.countAll().as('count')).executeTakeFirstOrThrow()
  const bytesFromNewest = sql<number>`sum(octet_length("runs"."payload")) over (order by "runs"."id" desc)`
  const rows = await tx
    .selectFrom(collected.select(['runs.id as runId', bytesFromNewest.as('bytes')]).as('event'))
    .innerJoin('runs', 'runs.id', 'event.runId')
    .select(['runs.id', 'runs.createdAt', 'runs.payload'])
    .where('event.bytes', '<=', maxPayloadBytes)
    .orderBy('runs.id', 'desc')
    .limit(maxEvents)
    .execute()
  // Several processes may call the bridge in an order that differs from that of the events.
  const events = rows
    .toReversed()
    .map(({ id, createdAt, payload }): DigestEvent => ({ id, atMs: createdAt, payload: parseObject(payload) }))
  return { ...toDigestResult(events), eventCount: Number(count) }
}
