import { runPrepared } from '../../store/prepared.ts'
import type { JobRow, RunRow } from '../../store/schema/run.ts'
import { isClosed } from '../decision/job-view.ts'
import { toRunStatus } from '../decision/run-status.ts'
import { advanceRun, type RunChange } from './advance-run.ts'

/** How a run is closed. */
export type ClosedRun = 'done' | 'failed' | 'canceled'

/**
 * Closes a run: its bridge is not asked any more what comes next. Does nothing for a run that is planned from the list, or
 * closed already.
 *
 * @param change - The run, and what it takes.
 * @param next - How it is closed.
 * @returns The change with the run as it is now.
 */
export async function closeRun<TChange extends RunChange>(change: TChange, next: ClosedRun): Promise<TChange> {
  const { tx, run, nowMs } = change
  if (run.next === null || isClosed(run)) return change
  await tx.updateTable('runs').set({ next, updatedAt: nowMs }).where('id', '=', run.id).execute()
  return { ...change, run: { ...run, next } }
}

/**
 * Opens a run again that was closed because a digest of another run took it in. Its bridge is asked at once: it may have named
 * steps that the run does not know.
 *
 * @param change - The run, and what it takes.
 */
export async function reopenRun(change: RunChange): Promise<void> {
  const { tx, run } = change
  if (run.next === null) return
  const next = run.nextClaim === null ? 'idle' : 'calling'
  await tx.updateTable('runs').set({ next }).where('id', '=', run.id).execute()
  await advanceRun({ ...change, run: { ...run, next } })
}

/** A change of a run whose row is known as a whole. */
export interface LockedRunChange extends RunChange {
  readonly run: RunRow
}

/**
 * Ends a run as its bridge says: delays that nothing awaits any more are skipped, and so are steps that were handed out and
 * never reached. It is over when no other step is left.
 *
 * @param change - The run, and what it takes.
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
        where.and([where('status', '=', 'delayed'), where('type', '=', 'delay')]),
      ]),
    )
    .returning(['id', 'stage'])
    .execute()
  for (const { id, stage } of skipped)
    history.note({ runId: run.id, jobId: id }, stage === 'unreached' ? 'neverReached' : 'delayLeft')
  await advanceRun(await closeRun(change, next))
}

/**
 * Ends a run as its bridge says, all of whose jobs are over.
 *
 * @param change - The run, and what it takes.
 * @param next - How it ends.
 * @param jobs - Its jobs.
 */
export async function endOverRun(
  { tx, run, nowMs, history }: LockedRunChange,
  next: 'done' | 'failed',
  jobs: readonly Pick<JobRow, 'status'>[],
): Promise<void> {
  const status = toRunStatus({ ...run, next }, jobs)
  history.note({ runId: run.id, jobId: null }, 'runEnded')
  await runPrepared(tx, {
    name: 'end a run that is led',
    values: [next, status, nowMs, nowMs, run.id],
    build: () =>
      tx.updateTable('runs').set({ next, status, finishedAt: nowMs, updatedAt: nowMs }).where('id', '=', run.id),
  })
}
