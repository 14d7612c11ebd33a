import { type JsonObject, stepTypes } from '@trestle/protocol'
import { toEmptyResult } from '@trestle/run-rules'
import { type RawBuilder, sql } from 'kysely'
import type { JobRow, RunRow } from '../../store/schema/run.ts'
import type { Session } from '../../store/store.ts'
import { createHistory } from '../base/history.ts'
import type { DetailName } from '../decision/detail.ts'
import type { EnginePorts } from '../port/engine-ports.ts'
import { advanceRun } from '../run/advance-run.ts'
import { lockRun } from '../run/lock-run.ts'

/** A job that triggers a workflow, with its run: it has not triggered it, or waits for its runs. */
export interface WaitingTrigger {
  readonly job: JobRow
  readonly run: RunRow
}

/** The ports that ending a step needs. */
export type ChildPorts = Pick<EnginePorts, 'store' | 'clock' | 'queue' | 'events'>

const type = stepTypes.filter((one) => one === 'trigger')

/**
 * Returns a job that triggers a workflow; `undefined` if it has ended.
 *
 * @param db - The session.
 * @param jobId - Row id of the job.
 */
export async function loadWaitingTrigger(db: Session, jobId: string): Promise<WaitingTrigger | undefined> {
  const job = await db
    .selectFrom('jobs')
    .selectAll()
    .where('id', '=', jobId)
    .where('status', '=', 'delayed')
    .where('type', 'in', type)
    .where('stage', 'is', null)
    .executeTakeFirst()
  const run = job && (await db.selectFrom('runs').selectAll().where('id', '=', job.runId).executeTakeFirst())
  return job && run && { job, run }
}

/** How a step that triggers a workflow changes. */
export interface TriggerTurn {
  readonly status: 'delayed' | 'completed' | 'failed'
  /** The result for later steps. */
  readonly result?: JsonObject | undefined
  readonly error?: unknown
  /** The line in the history, and its data. */
  readonly name: DetailName
  readonly raw: JsonObject
  /** Stores more rows in the same transaction. */
  readonly write?: ((tx: Session, nowMs: number) => Promise<void>) | undefined
}

/**
 * Stores the change of a step that triggers a workflow. If the step has ended, its run continues. Does nothing if it has
 * been canceled, or another process has changed it in the meantime.
 *
 * @param ports - The ports of the engine.
 * @param waiting - The step, as it was loaded.
 * @param turn - The change.
 */
export function turnTrigger(
  ports: ChildPorts,
  { job, run: { id: runId } }: WaitingTrigger,
  turn: TriggerTurn,
): Promise<void> {
  const { store, clock, queue, events } = ports
  const { status, result = toEmptyResult(job.type), error, name, raw, write } = turn
  return store.transaction(async (tx) => {
    const nowMs = clock.now()
    const run = await lockRun(tx, runId, nowMs)
    if (!run) return
    const isOver = status !== 'delayed'
    const { numUpdatedRows } = await tx
      .updateTable('jobs')
      .set({
        ...{ status, updatedAt: nowMs },
        ...(isOver && { result: JSON.stringify(result), endedAt: nowMs, completedOrder: run.sequence }),
        ...(error !== undefined && { error: JSON.stringify(error) }),
      })
      .where('id', '=', job.id)
      .where('status', '=', 'delayed')
      .executeTakeFirstOrThrow()
    if (numUpdatedRows === 0n) return
    const history = createHistory(run.environmentId, nowMs)
    history.note({ runId, jobId: job.id }, name, raw)
    await write?.(tx, nowMs)
    if (isOver) await advanceRun({ tx, run, nowMs, history, queue, events })
    await history.write(tx)
  })
}

/**
 * Returns the condition for the trigger and the runs of a step, in the form that uses their partial indexes.
 *
 * @param jobId - Row id of the step.
 */
export function isOfParent(jobId: string): RawBuilder<boolean> {
  return sql<boolean>`"parentJobId" = ${jobId} and "parentJobId" is not null`
}
