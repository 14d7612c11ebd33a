import { isOfClass, type JsonObject, type StepType, type StepTypeOf } from '@trestle/protocol'
import { toEmptyResult } from '@trestle/run-rules'
import { createQueryKey, runPrepared } from '../../store/prepared.ts'
import type { JobRow, RunRow } from '../../store/schema/run.ts'
import { hasOneOf, updateById } from '../../store/shared/row-list.ts'
import { createSharedStatement } from '../../store/shared/shared-statement.ts'
import type { Session } from '../../store/store.ts'
import { createHistory } from '../base/history.ts'
import type { DetailName } from '../decision/detail.ts'
import { receiveEvent } from '../events/receive-event.ts'
import type { EnginePorts } from '../port/engine-ports.ts'
import { advanceRun, type RunChange } from '../run/advance-run.ts'
import { toRunPriority, toRunWork } from '../run/lane.ts'
import { lockRun } from '../run/lock-run.ts'
import { concernsOwnRun, type StoreChange } from '../run/work-change.ts'
import { closeBucket } from './close-bucket.ts'
import { collectEvents } from './collect-events.ts'

const waitingJobsQuery = createQueryKey('waiting jobs')

/** A waiting job, and its run, by their row ids. */
export interface DueWait {
  readonly jobId: string
  readonly runId: string
  readonly type: StepType
  /** Whether the run is a bulk run. */
  readonly isBulk: RunRow['isBulk']
}

/** Dependencies for ending waits. */
export interface WaitPorts extends Pick<EnginePorts, 'store' | 'queue' | 'clock' | 'events'> {
  /** Separate from that of other work, so that waits do not end late under load. */
  readonly storeChange: StoreChange
}

/**
 * Ends a due wait: a delay, a digest with its collected events, a wait for an event, or the back-off of a failed step.
 * Does nothing for a job that no longer waits.
 *
 * @param wait - The waiting job.
 */
export async function endWait(ports: WaitPorts, wait: DueWait): Promise<void> {
  const { jobId, runId, type } = wait
  // An event that was emitted in time counts, even if its turn has not come yet.
  if (type === 'wait_for_event' && (await receiveEvent(ports, jobId, 'end'))) return
  await ports.storeChange({
    ...{ priority: toRunPriority(wait), runId, isOwn: concernsOwnRun(type) },
    work: (tx) => endInTransaction(ports, tx, wait),
  })
}

async function endInTransaction({ queue, clock, events }: WaitPorts, tx: Session, wait: DueWait): Promise<void> {
  const nowMs = clock.now()
  const run = await lockRun(tx, wait.runId, nowMs)
  const job = await loadWaiting(tx, wait.jobId)
  if (!run || job?.status !== 'delayed' || job.dueAt === null || job.dueAt > nowMs) return
  if (job.stage === 'retrying') return retryStep({ tx, run, nowMs, queue }, job)
  if (!isOfClass(job.type, 'wait')) return
  const history = createHistory(run.environmentId, nowMs)
  const { result, name, raw = result } = await ends[job.type](tx, job, nowMs)
  const end = { status: 'completed', result: JSON.stringify(result), endedAt: nowMs } as const
  const values = { ...end, completedOrder: run.sequence, updatedAt: nowMs }
  await updateById(tx, { table: 'jobs', id: job.id, values })
  history.note({ runId: run.id, jobId: job.id }, name, raw)
  await advanceRun({ tx, run, nowMs, history, queue, events })
  await history.write(tx)
}

const loadWaiting = createSharedStatement<string, JobRow | undefined>({
  async run(tx, ids) {
    const { condition, value, form, isNamed } = hasOneOf(tx, 'id', ids)
    const build = () => tx.selectFrom('jobs').selectAll().where(condition)
    const { rows } = await runPrepared(tx, { key: waitingJobsQuery, form, values: [value], isNamed, build })
    return ids.map((jobId) => rows.find(({ id }) => id === jobId))
  },
})

/** Queues a failed step whose back-off has ended. */
async function retryStep(
  { tx, run, nowMs, queue }: Pick<RunChange, 'tx' | 'run' | 'nowMs' | 'queue'>,
  { id }: JobRow,
): Promise<void> {
  const history = createHistory(run.environmentId, nowMs)
  await updateById(tx, { table: 'jobs', id, values: { status: 'queued', stage: null, dueAt: null, updatedAt: nowMs } })
  history.note({ runId: run.id, jobId: id }, 'retryStarted')
  await queue.add(tx, [toRunWork(run, 'job', id)])
  await history.write(tx)
}

interface WaitEnd {
  readonly result: JsonObject
  /** The history entry. */
  readonly name: DetailName
  /** Data for it. @default the result */
  readonly raw?: JsonObject
}

const ends: Readonly<Record<StepTypeOf<'wait'>, (tx: Session, job: JobRow, nowMs: number) => Promise<WaitEnd>>> = {
  delay: async (_, job, nowMs) => ({
    result: { duration: nowMs - (job.calledAt ?? job.createdAt) },
    name: 'delayFinished',
  }),
  digest: async (tx, job, nowMs) => {
    // Closed first, so that no event is added after they were collected.
    await closeBucket(tx, job, nowMs)
    const result = await collectEvents(tx, job)
    const { events, eventCount } = result as { readonly events: readonly unknown[]; readonly eventCount: number }
    const included = events.length < eventCount && { newestIncluded: events.length }
    return { result, name: 'digestFinished', raw: { eventCount, ...included } }
  },
  wait_for_event: async (_, job) => ({ result: toEmptyResult(job.type), name: 'eventMissed' }),
}
