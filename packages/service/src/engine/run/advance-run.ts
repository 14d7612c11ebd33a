import type { Queue } from '../../queue/queue.ts'
import { runPrepared } from '../../store/prepared.ts'
import type { RunRow } from '../../store/schema/run.ts'
import type { Session } from '../../store/store.ts'
import type { History } from '../base/history.ts'
import { isClosed, type JobView } from '../decision/job-view.ts'
import { toNextJobs } from '../decision/next-jobs.ts'
import { toRunStatus } from '../decision/run-status.ts'
import { toLane } from './lane.ts'

/** Dependencies of changing the jobs of a run within one transaction. */
export interface RunChange {
  readonly tx: Session
  /** The run; its row is locked by this transaction. */
  readonly run: Pick<RunRow, 'id' | 'environmentId' | 'workflowIdentifier' | 'status' | 'next' | 'nextClaim'>
  readonly nowMs: number
  readonly history: History
  readonly queue: Pick<Queue, 'add'>
  /** The next call of this run, which the same work item makes. */
  readonly nextCall?: NextCall | undefined
}

/** A call that asks the bridge of a run for the next step, made by the same work item as the previous call. */
export interface NextCall {
  /** Row id of the run. */
  readonly runId: string
  /** The claim of the call. */
  readonly claim: string
  /** The claimed run; undefined if no call is due. */
  run: RunRow | undefined
}

/** Advances a run after its jobs have changed: queues the next jobs or the next bridge call, or ends the run. */
export async function advanceRun(change: RunChange): Promise<void> {
  const { tx, run, nowMs } = change
  // A call in progress will take the stored changes into account.
  if (run.next !== null && !isClosed(run)) return run.next === 'idle' ? queueNext(change) : undefined
  const jobs = await loadJobViews(tx, run.id)
  const next = run.next === null ? toNextJobs(jobs) : []
  if (next.length > 0) return queueJobs(change, next)
  const status = toRunStatus(run, jobs)
  if (status === run.status) return
  const finishedAt = status === 'running' ? null : nowMs
  // The last step of a bridge-driven run ended earlier, so no other entry reports the end of the run.
  if (run.next !== null && finishedAt !== null) change.history.note({ runId: run.id, jobId: null }, 'runEnded')
  await runPrepared(tx, {
    name: 'end a run',
    values: [status, finishedAt, nowMs, run.id],
    build: () => tx.updateTable('runs').set({ status, finishedAt, updatedAt: nowMs }).where('id', '=', run.id),
  })
}

/**
 * Queues a call that asks the bridge for the next step, or claims it for this process. A run has one such call at a
 * time.
 *
 * @param change - The run; it must be `idle`.
 */
export async function queueNext({ tx, run, nowMs, queue, nextCall }: RunChange): Promise<void> {
  const call = nextCall?.runId === run.id ? nextCall : undefined
  const { rows } = await runPrepared(tx, {
    name: 'let a call of a run be due',
    values: [call ? 'calling' : 'due', call?.claim ?? null, nowMs, run.id],
    build: () =>
      tx
        .updateTable('runs')
        .set({ next: call ? 'calling' : 'due', nextClaim: call?.claim ?? null, updatedAt: nowMs })
        .where('id', '=', run.id)
        .returningAll(),
  })
  if (call) call.run = rows[0]
  else await queue.add(tx, [{ kind: 'next', id: run.id, lane: toLane(run), priority: 'ongoing' }])
}

/** Queues pending jobs of a run. */
export async function queueJobs(change: RunChange, jobs: readonly Pick<JobView, 'id'>[]): Promise<void> {
  const { tx, run, nowMs, history, queue } = change
  const ids = jobs.map(({ id }) => id)
  await runPrepared(tx, {
    name: `queue ${ids.length} jobs`,
    values: ['queued', nowMs, ...ids, 'pending'],
    build: () =>
      tx
        .updateTable('jobs')
        .set({ status: 'queued', updatedAt: nowMs })
        .where('id', 'in', ids)
        .where('status', '=', 'pending'),
  })
  for (const jobId of ids) history.note({ runId: run.id, jobId }, 'queued')
  const lane = toLane(run)
  await queue.add(
    tx,
    ids.map((id) => ({ kind: 'job', id, lane, priority: 'ongoing' })),
  )
}

/** Returns a run's jobs with the columns that determine their order, in the order of the steps. */
export async function loadJobViews(tx: Session, runId: string): Promise<readonly JobView[]> {
  const { rows } = await runPrepared(tx, {
    name: 'order of a run',
    values: [runId],
    build: () =>
      tx
        .selectFrom('jobs')
        .select(['id', 'stepId', 'type', 'position', 'wave', 'status', 'waitsForId'])
        .where('runId', '=', runId)
        .orderBy('position'),
  })
  return rows.map(({ waitsForId, type, ...row }) => ({ ...row, type: type as JobView['type'], waitsFor: waitsForId }))
}
