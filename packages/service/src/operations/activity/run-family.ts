import type { JsonObject } from '@trestle/protocol'
import { childLimits } from '@trestle/run-rules'
import { type RawBuilder, sql } from 'kysely'
import type { RunRow } from '../../store/schema/run.ts'
import type { Session } from '../../store/store.ts'

/** The maximum number of runs below a run that are listed. */
const maxBelow = 200

/** The runs that are linked with a run by its steps. */
export interface RunFamily {
  /** The run whose step triggered this one, and the runs above it; the first run comes first. */
  readonly ancestors: readonly JsonObject[]
  /** The runs that its steps triggered, and the runs below them: each after its parent. At most 200. */
  readonly descendants: readonly JsonObject[]
  /** The runs that its digests merged, oldest first, with the digest as their step. At most 200. */
  readonly mergedRuns: readonly JsonObject[]
}

/**
 * Loads the runs that are linked with a run.
 *
 * @param db - The session.
 * @param run - The run.
 */
export async function loadFamily(db: Session, run: RunRow): Promise<RunFamily> {
  const ancestors: LinkedRun[] = []
  for (let parentId = run.parentRunId; parentId !== null; ) {
    const [parent] = await selectLinked(db, sql`"runs"."id" = ${parentId}`)
    if (!parent) break
    ancestors.unshift(parent)
    parentId = parent.parentRunId
  }
  const descendants: LinkedRun[] = []
  let level: readonly string[] = [run.id]
  for (let depth = 0; depth < childLimits.depth && level.length > 0 && descendants.length < maxBelow; depth++) {
    const isBelow = sql`"runs"."parentRunId" in (${sql.join(level)}) and "runs"."parentRunId" is not null`
    const children = await selectLinked(db, isBelow, { limit: maxBelow - descendants.length })
    descendants.push(...children)
    level = children.map(({ id }) => id)
  }
  const mergedRuns = await selectLinked(db, sql`"runs"."digestedRunId" = ${run.id}`, { step: digestStep })
  return { ancestors: ancestors.map(toLink), descendants: descendants.map(toLink), mergedRuns: mergedRuns.map(toLink) }
}

/**
 * Returns the row ids of the runs that the steps of a run triggered, oldest first: at most 200.
 *
 * @param db - The session.
 * @param runId - Row id of the run.
 */
export async function loadChildIds(db: Session, runId: string): Promise<readonly string[]> {
  const isBelow = sql`"runs"."parentRunId" = ${runId} and "runs"."parentRunId" is not null`
  return (await selectLinked(db, isBelow)).map(({ id }) => id)
}

interface LinkedRun
  extends Pick<
    RunRow,
    'id' | 'parentRunId' | 'workflowIdentifier' | 'externalSubscriberId' | 'status' | 'createdAt' | 'finishedAt'
  > {
  /** The step that links it; null if that step no longer exists. */
  readonly stepId: string | null
  readonly workflowName: string | null
}

const triggeringStep = sql`select "stepId" from "jobs" where "jobs"."id" = "runs"."parentJobId"`
/** The step of a merged run that joined the digest. Its later steps were merged with it. */
const digestStep = sql`select "stepId" from "jobs" where "jobs"."runId" = "runs"."id" and "jobs"."mergedIntoId" is not null limit 1`

async function selectLinked(
  db: Session,
  where: RawBuilder<unknown>,
  { step = triggeringStep, limit = maxBelow }: { readonly step?: RawBuilder<unknown>; readonly limit?: number } = {},
): Promise<readonly LinkedRun[]> {
  const { rows } = await sql<LinkedRun>`
    select "runs"."id", "runs"."parentRunId", "runs"."workflowIdentifier", "runs"."externalSubscriberId",
      "runs"."status", "runs"."createdAt", "runs"."finishedAt",
      (${step}) as "stepId",
      (select "name" from "workflows" where "workflows"."id" = "runs"."workflowId") as "workflowName"
    from "runs" where ${where} order by "runs"."id" limit ${limit}`.execute(db)
  return rows
}

function toLink({ id, externalSubscriberId, workflowIdentifier, workflowName, ...run }: LinkedRun): JsonObject {
  return {
    ...{ _id: id, parentRunId: run.parentRunId, stepId: run.stepId, status: run.status },
    ...{ workflowId: workflowIdentifier, workflowName: workflowName ?? workflowIdentifier },
    subscriberId: externalSubscriberId,
    createdAt: new Date(Number(run.createdAt)).toISOString(),
    finishedAt: run.finishedAt === null ? null : new Date(Number(run.finishedAt)).toISOString(),
  }
}
