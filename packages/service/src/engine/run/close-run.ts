import { stepTypes } from '@trestle/protocol'
import { isLeftAtEnd } from '@trestle/run-rules'
import type { JobRow, RunRow } from '../../store/schema/run.ts'
import { updateById } from '../../store/shared/row-list.ts'
import { isClosed } from '../decision/job-view.ts'
import { toRunStatus } from '../decision/run-status.ts'
import { advanceRun, type RunChange, recordRunEnd } from './advance-run.ts'

const leftAtEnd = stepTypes.filter(isLeftAtEnd)

/** How a run was closed. */
export type ClosedRun = 'done' | 'failed' | 'canceled'

/**
 * Closes a run: its bridge is no longer asked for the next step. Does nothing for a run with planned steps, or a closed
 * run.
 *
 * @returns The change with the updated run.
 */
export async function closeRun<TChange extends RunChange>(change: TChange, next: ClosedRun): Promise<TChange> {
  const { tx, run, nowMs } = change
  if (run.next === null || isClosed(run)) return change
  await tx.updateTable('runs').set({ next, updatedAt: nowMs }).where('id', '=', run.id).execute()
  return { ...change, run: { ...run, next } }
}

/**
 * Reopens a run that was closed because a digest of another run merged it. Calls its bridge at once, because it may
 * have named steps that the run does not know.
 */
export async function reopenRun(change: RunChange): Promise<void> {
  const { tx, run } = change
  if (run.next === null) return
  const next = run.nextClaim === null ? 'idle' : 'calling'
  await tx.updateTable('runs').set({ next }).where('id', '=', run.id).execute()
  await advanceRun({ ...change, run: { ...run, next } })
}

/** A change of a run with all its columns. */
export interface LockedRunChange extends RunChange {
  readonly run: RunRow
}

/**
 * Ends a run as its bridge requested: skips delays and waits for events that nothing awaits, and dispatched steps
 * that were never reached. The run is finished once no other step is left.
 *
 * @param next - How it ends.
 */
export async function endRun(change: LockedRunChange, next: 'done' | 'failed'): Promise<void> {
  const { tx, run, nowMs, history } = change
  const skipped = await tx
    .updateTable('jobs')
    .set({ status: 'skipped', endedAt: nowMs, completedOrder: run.sequence, updatedAt: nowMs })
    .where('runId', '=', run.id)
    .where((where) =>
      where.or([
        where('status', '=', 'pending'),
        where.and([where('status', '=', 'delayed'), where('type', 'in', leftAtEnd)]),
      ]),
    )
    .returning(['id', 'stage', 'type'])
    .execute()
  for (const { id, stage, type } of skipped) {
    const left = type === 'wait_for_event' ? 'eventLeft' : 'delayLeft'
    history.note({ runId: run.id, jobId: id }, stage === 'unreached' ? 'neverReached' : left)
  }
  await advanceRun(await closeRun(change, next))
}

/**
 * Ends a run as its bridge requested, if all its jobs have ended.
 *
 * @param next - How it ends.
 */
export async function endOverRun(
  change: LockedRunChange,
  next: 'done' | 'failed',
  jobs: readonly Pick<JobRow, 'status' | 'stage'>[],
): Promise<void> {
  const { tx, run, nowMs, history } = change
  const status = toRunStatus({ ...run, next }, jobs)
  history.note({ runId: run.id, jobId: null }, 'runEnded')
  const values = { next, status, finishedAt: nowMs, updatedAt: nowMs }
  await updateById(tx, { table: 'runs', id: run.id, values })
  if (status !== 'running') await recordRunEnd(change, status)
}
