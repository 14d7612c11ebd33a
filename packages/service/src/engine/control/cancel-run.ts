import type { JobRow, RunRow } from '../../store/schema/run.ts'
import type { Session } from '../../store/store.ts'
import { createHistory, type History } from '../base/history.ts'
import type { EnginePorts } from '../port/engine-ports.ts'
import { advanceRun } from '../run/advance-run.ts'
import { lockRun } from '../run/lock-run.ts'
import { promoteDigest } from './promote-digest.ts'

/**
 * Cancels what a run has not done yet: steps that wait or have not begun, and its event in a digest that is still open.
 *
 * @param ports - What the engine acts through.
 * @param runId - Row id of the run.
 * @returns Whether something was canceled.
 */
export async function cancelRun({ store, clock, queue }: EnginePorts, runId: string): Promise<boolean> {
  return store.transaction(async (tx) => {
    const nowMs = clock.now()
    const run = await lockRun(tx, runId, nowMs)
    if (!run) return false
    const jobs = await tx.selectFrom('jobs').selectAll().where('runId', '=', runId).orderBy('position').execute()
    const ended = await findCancelable(tx, run, jobs)
    if (ended.length === 0) return false
    const history = createHistory(run.environmentId, nowMs)
    const change = { tx, run, nowMs, history, queue }
    for (const job of ended) if (job.type === 'digest' && job.status === 'delayed') await promoteDigest(change, job)
    const canceled = await cancelJobs(ended, { tx, run, nowMs, history })
    await advanceRun(change)
    await history.write(tx)
    return canceled
  })
}

/** Jobs that wait or have not begun; those of a merged run only while the digest that took it in is open. */
async function findCancelable(tx: Session, run: RunRow, jobs: readonly JobRow[]): Promise<readonly JobRow[]> {
  if (run.status === 'running') return jobs.filter(({ status }) => ['pending', 'queued', 'delayed'].includes(status))
  const openIds = jobs.flatMap(({ mergedIntoId }) => (mergedIntoId === null ? [] : [mergedIntoId]))
  if (openIds.length === 0) return []
  const open = await tx
    .selectFrom('jobs')
    .select('id')
    .where('id', 'in', openIds)
    .where('status', '=', 'delayed')
    .executeTakeFirst()
  return open ? jobs.filter(({ status }) => status === 'merged') : []
}

interface Ending {
  readonly tx: Session
  readonly run: RunRow
  readonly nowMs: number
  readonly history: History
}

/** A job that was queued may have begun to run in between; it goes on then. */
async function cancelJobs(jobs: readonly JobRow[], { tx, run, nowMs, history }: Ending): Promise<boolean> {
  const rows = await tx
    .updateTable('jobs')
    .set({
      status: 'canceled',
      mergedIntoId: null,
      endedAt: nowMs,
      completedOrder: run.sequence,
      updatedAt: nowMs,
    })
    .where(
      'id',
      'in',
      jobs.map(({ id }) => id),
    )
    .where('status', 'in', ['pending', 'queued', 'delayed', 'merged'])
    .returning('id')
    .execute()
  for (const { id } of rows) history.note({ runId: run.id, jobId: id }, 'canceled')
  return rows.length > 0
}
