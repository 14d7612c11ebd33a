import type { Queue } from '../../queue/queue.ts'
import { createQueryKey, runPrepared } from '../../store/prepared.ts'
import type { RunRow } from '../../store/schema/run.ts'
import { groupBy, hasOneOf, updateById } from '../../store/shared/row-list.ts'
import { createSharedStatement } from '../../store/shared/shared-statement.ts'
import type { Session } from '../../store/store.ts'
import type { History } from '../base/history.ts'
import { isClosed, type JobView, type RunStatus } from '../decision/job-view.ts'
import { toNextJobs } from '../decision/next-jobs.ts'
import { toRunStatus } from '../decision/run-status.ts'
import type { EventPort } from '../port/event-port.ts'
import { toEventPriority, toRunWork } from './lane.ts'

const queueJobsQuery = createQueryKey('queue jobs')
const orderOfRunsQuery = createQueryKey('order of runs')

type RunKeys =
  | 'id'
  | 'environmentId'
  | 'workflowIdentifier'
  | 'status'
  | 'next'
  | 'nextClaim'
  | 'nextFailures'
  | 'parentJobId'
  | 'isAwaited'
  | 'isBulk'

/** Dependencies for changing the jobs of a run within one transaction. */
export interface RunChange {
  readonly tx: Session
  /** The run; its row is locked by this transaction. */
  readonly run: Pick<RunRow, RunKeys>
  readonly nowMs: number
  readonly history: History
  readonly queue: Pick<Queue, 'add'>
  readonly events: EventPort
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
  if (run.next === 'idle') return queueNext(change)
  // The call that is due or in progress will take the stored changes into account.
  if (run.next !== null && !isClosed(run)) return forgetFailures(change)
  const jobs = await loadJobViews(tx, run.id)
  const next = run.next === null ? toNextJobs(jobs) : []
  if (next.length > 0) return queueJobs(change, next)
  const status = toRunStatus(run, jobs)
  if (status === run.status) return
  const finishedAt = status === 'running' ? null : nowMs
  // The last step of a bridge-driven run ended earlier, so no other entry reports the end of the run.
  if (run.next !== null && finishedAt !== null) change.history.note({ runId: run.id, jobId: null }, 'runEnded')
  await updateById(tx, { table: 'runs', id: run.id, values: { status, finishedAt, updatedAt: nowMs } })
  if (status !== 'running') await recordRunEnd(change, status)
}

/** Records the end of a run for webhooks, and reports it to the step that awaits the run. */
export async function recordRunEnd(
  { tx, run, nowMs, events, queue }: Pick<RunChange, 'tx' | 'run' | 'nowMs' | 'events' | 'queue'>,
  status: Exclude<RunStatus, 'running'>,
): Promise<void> {
  const { id: subjectId, environmentId, parentJobId } = run
  if (parentJobId !== null && run.isAwaited === 1) await queue.add(tx, [toRunWork(run, 'children', parentJobId)])
  const priority = toEventPriority(run)
  await events.record(tx, { environmentId, type: `run.${status}`, subjectId, nowMs, priority })
}

/** A due call is the first one after a step has changed, so earlier failures do not count. */
async function forgetFailures({ tx, run: { id, next, nextFailures } }: RunChange): Promise<void> {
  if (next === 'due' && nextFailures > 0) await updateById(tx, { table: 'runs', id, values: { nextFailures: 0 } })
}

/**
 * Queues a call that asks the bridge for the next step, or claims it for this process. A run has one such call at a
 * time.
 *
 * @param change - The run; it must be `idle`.
 * @param nextFailures - The number of failed calls before this one. @default 0
 */
export async function queueNext(
  { tx, run, nowMs, queue, nextCall }: Pick<RunChange, 'tx' | 'run' | 'nowMs' | 'queue' | 'nextCall'>,
  nextFailures = 0,
): Promise<void> {
  const call = nextCall?.runId === run.id ? nextCall : undefined
  const claimed = { next: call ? 'calling' : 'due', nextClaim: call?.claim ?? null } as const
  const values = { ...claimed, nextFailures, updatedAt: nowMs }
  const updated = await updateById(tx, { table: 'runs', id: run.id, values, isReturned: true })
  if (call) call.run = updated
  else await queue.add(tx, [toRunWork(run, 'next', run.id)])
}

/** Queues pending jobs of a run. */
export async function queueJobs(change: RunChange, jobs: readonly Pick<JobView, 'id'>[]): Promise<void> {
  const { tx, run, nowMs, history, queue } = change
  const ids = jobs.map(({ id }) => id)
  await setQueued(tx, { ids, nowMs })
  for (const jobId of ids) history.note({ runId: run.id, jobId }, 'queued')
  await queue.add(
    tx,
    ids.map((id) => toRunWork(run, 'job', id)),
  )
}

const setQueued = createSharedStatement<{ readonly ids: readonly string[]; readonly nowMs: number }, void>({
  async run(tx, requests) {
    const nowMs = Math.max(...requests.map((request) => request.nowMs))
    const ids = requests.flatMap((request) => request.ids)
    const { condition, value, form, isNamed } = hasOneOf(tx, 'id', ids)
    await runPrepared(tx, {
      key: queueJobsQuery,
      form,
      values: ['queued', nowMs, value, 'pending'],
      isNamed,
      build: () =>
        tx
          .updateTable('jobs')
          .set({ status: 'queued', updatedAt: nowMs })
          .where(condition)
          .where('status', '=', 'pending'),
    })
    return requests.map(() => undefined)
  },
})

/** Returns a run's jobs with the columns that determine their order, in the order of the steps. */
export const loadJobViews: (tx: Session, runId: string) => Promise<readonly JobView[]> = createSharedStatement({
  async run(tx, runIds) {
    const { condition, value, form, isNamed } = hasOneOf(tx, 'runId', runIds)
    const { rows } = await runPrepared(tx, {
      key: orderOfRunsQuery,
      form,
      values: [value],
      isNamed,
      build: () =>
        tx
          .selectFrom('jobs')
          .select(['runId', 'id', 'stepId', 'type', 'position', 'wave', 'status', 'stage', 'waitsForId'])
          .where(condition)
          .orderBy('position'),
    })
    const views = groupBy(rows, ({ runId }) => runId)
    return runIds.map((id) =>
      (views.get(id) ?? []).map(({ runId: _, waitsForId, type, ...row }) => {
        return { ...row, type: type as JobView['type'], waitsFor: waitsForId }
      }),
    )
  },
})
