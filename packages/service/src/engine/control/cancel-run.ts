import { isOfClass, type StepType, stepTypes } from '@trestle/protocol'
import type { JobRow, RunRow } from '../../store/schema/run.ts'
import type { Session } from '../../store/store.ts'
import { createHistory, type History } from '../base/history.ts'
import { isClosed } from '../decision/job-view.ts'
import type { EnginePorts } from '../port/engine-ports.ts'
import { advanceRun } from '../run/advance-run.ts'
import { cancelMessages } from '../run/cancel-messages.ts'
import { closeRun } from '../run/close-run.ts'
import { lockRun } from '../run/lock-run.ts'
import { lockJoinedDigests } from '../waits/lock-digest.ts'
import { promoteDigest } from '../waits/promote-digest.ts'

/** Who cancels a run: a call of the API, a person in the studio, or the deletion of its subscriber. */
export type CanceledBy = 'api' | 'studio' | 'subscriber'

/** Steps that do nothing but let a run wait. One whose bridge is asked just now has not done anything yet either. */
const waitTypes: readonly StepType[] = stepTypes.filter((type) => isOfClass(type, 'wait', 'throttle'))
const cancelableStatuses = ['pending', 'queued', 'delayed', 'merged'] as const

/**
 * Cancels the unfinished work of a run: steps that wait or have not begun, and its event in a digest that is still open.
 * A wait whose bridge is being asked ends too: it would begin for nothing, and hold on to the events of later runs.
 *
 * @param ports - What the engine acts through.
 * @param runId - Row id of the run.
 * @param by - Who cancels; kept in the history.
 * @returns Whether something was canceled.
 */
export async function cancelRun({ store, clock, queue }: EnginePorts, runId: string, by: CanceledBy): Promise<boolean> {
  return store.transaction(async (tx) => {
    const nowMs = clock.now()
    // Whoever hands a digest over holds its bucket while they wait for runs: it is locked before the run here too.
    await lockJoinedDigests(tx, runId, nowMs)
    const run = await lockRun(tx, runId, nowMs)
    if (!run) return false
    // Where the run has joined one while this waited for the run.
    await lockJoinedDigests(tx, runId, nowMs)
    const jobs = await tx.selectFrom('jobs').selectAll().where('runId', '=', runId).orderBy('position').execute()
    const cancelable = await findCancelable(tx, jobs)
    const isOpen = run.next !== null && !isClosed(run)
    if (cancelable.length === 0 && !isOpen) return false
    const history = createHistory(run.environmentId, nowMs)
    const change = await closeRun({ tx, run, nowMs, history, queue }, 'canceled')
    if (isOpen) history.note({ runId, jobId: null }, 'runCanceled', { by })
    for (const job of cancelable)
      if (job.type === 'digest' && job.status === 'delayed') await promoteDigest(change, job)
    const canceled = await cancelJobs(cancelable, { tx, run, nowMs, history, by })
    await advanceRun(change)
    await history.write(tx)
    return canceled || isOpen
  })
}

/** Jobs that wait or have not begun; merged ones only while the digest that took them in is open. */
async function findCancelable(tx: Session, jobs: readonly JobRow[]): Promise<readonly JobRow[]> {
  const openIds = await findOpenDigests(tx, jobs)
  return jobs.filter(({ status, type, mergedIntoId }) => {
    if (status === 'running') return waitTypes.includes(type)
    if (status !== 'merged') return status === 'pending' || status === 'queued' || status === 'delayed'
    // What comes after the digest was merged with it.
    return mergedIntoId === null ? openIds.size > 0 : openIds.has(mergedIntoId)
  })
}

async function findOpenDigests(tx: Session, jobs: readonly JobRow[]): Promise<ReadonlySet<string>> {
  const ids = jobs.flatMap(({ mergedIntoId }) => (mergedIntoId === null ? [] : [mergedIntoId]))
  if (ids.length === 0) return new Set()
  const open = await tx.selectFrom('jobs').select('id').where('id', 'in', ids).where('status', '=', 'delayed').execute()
  return new Set(open.map(({ id }) => id))
}

interface Cancellation {
  readonly tx: Session
  readonly run: RunRow
  readonly nowMs: number
  readonly history: History
  readonly by: CanceledBy
}

/** A job that was queued may have begun to run in between; it goes on then, unless it is a wait. */
async function cancelJobs(jobs: readonly JobRow[], { tx, run, nowMs, history, by }: Cancellation): Promise<boolean> {
  if (jobs.length === 0) return false
  const ids = jobs.map(({ id }) => id)
  const columns = { status: 'canceled', mergedIntoId: null, endedAt: nowMs, completedOrder: run.sequence } as const
  const rows = await tx
    .updateTable('jobs')
    .set({ ...columns, updatedAt: nowMs })
    .where('id', 'in', ids)
    .where((where) =>
      where.or([
        where('status', 'in', cancelableStatuses),
        where.and([where('status', '=', 'running'), where('type', 'in', waitTypes)]),
      ]),
    )
    .returning('id')
    .execute()
  for (const { id } of rows) history.note({ runId: run.id, jobId: id }, 'canceled', { by })
  await cancelMessages(
    tx,
    rows.map(({ id }) => id),
    nowMs,
  )
  return rows.length > 0
}
