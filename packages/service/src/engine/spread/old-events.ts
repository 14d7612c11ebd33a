import { eventWindowMs } from '@trestle/run-rules'
import { type RawBuilder, sql } from 'kysely'
import type { Session } from '../../store/store.ts'

/** A step that has started to wait looks back a little later. */
const keptMs = 2 * eventWindowMs
/** How many events an environment keeps for steps that start to wait. */
const keptCount = 10_000

const isDone = sql`"status" = 'done'`

/**
 * Returns the conditions of events that no run may look for: old ones, and those that exceed the maximum number of an
 * environment. Events that runs and steps still have to look for are kept, however long their work has been queued.
 *
 * @param db - The session.
 * @param nowMs - The time, in milliseconds since 1970.
 */
export async function selectOldEvents(db: Session, nowMs: number): Promise<readonly RawBuilder<unknown>[]> {
  const isUnneeded = await findUnneeded(db)
  const conditions = [sql`${isDone} and "createdAt" <= ${nowMs - keptMs} and ${isUnneeded}`]
  const full = await db
    .selectFrom('emittedEvents')
    .select('environmentId')
    .groupBy('environmentId')
    .having(({ fn }) => fn.countAll(), '>', keptCount)
    .execute()
  for (const { environmentId } of full) {
    const last = await db
      .selectFrom('emittedEvents')
      .select('id')
      .where('environmentId', '=', environmentId)
      .orderBy('id', 'desc')
      .offset(keptCount)
      .limit(1)
      .executeTakeFirst()
    if (last)
      conditions.push(sql`${isDone} and "environmentId" = ${environmentId} and "id" <= ${last.id} and ${isUnneeded}`)
  }
  return conditions
}

interface Need {
  readonly environmentId: string
  /** The time of the first needed event. */
  readonly sinceMs: number
}

/**
 * The queries of what still has to look for events, in the order in which work moves on, so that none is missed: triggers
 * whose runs are not all created, runs that have not started, and steps that have started to wait. Their conditions are
 * those of the partial indexes.
 */
export const needQueries: readonly RawBuilder<Need>[] = [
  sql<Need>`select "trigger"."environmentId", min("trigger"."createdAt") as "sinceMs" from "triggers" as "trigger"
    join "workflows" as "workflow" on "workflow"."environmentId" = "trigger"."environmentId"
      and "workflow"."identifier" = "trigger"."workflowIdentifier"
    where "trigger"."status" in ('accepted','processing') and "workflow"."cancelOn" is not null
    group by "trigger"."environmentId"`,
  sql<Need>`select "watch"."environmentId", min("watch"."since") as "sinceMs" from "queueItems" as "item"
    join "cancelWatches" as "watch" on "watch"."runId" = "item"."subject"
    where "item"."kind" in ('start', 'look-back') and "item"."kind" = 'start' group by "watch"."environmentId"`,
  sql<Need>`select "job"."environmentId",
      min(coalesce("job"."calledAt", "job"."createdAt")) - ${sql.lit(eventWindowMs)} as "sinceMs"
    from "queueItems" as "item" join "jobs" as "job" on "job"."id" = "item"."subject"
    where "item"."kind" in ('start', 'look-back') and "item"."kind" = 'look-back' group by "job"."environmentId"`,
]

async function findUnneeded(db: Session): Promise<RawBuilder<unknown>> {
  const needs: Need[] = []
  for (const query of needQueries) needs.push(...(await query.execute(db)).rows)
  const conditions = needs.map(
    ({ environmentId, sinceMs }) => sql`not ("environmentId" = ${environmentId} and "createdAt" >= ${sinceMs})`,
  )
  return sql.join([sql`1 = 1`, ...conditions], sql` and `)
}
