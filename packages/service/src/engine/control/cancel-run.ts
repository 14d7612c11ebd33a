import { isOfClass, type StepType, stepTypes } from '@trestle/protocol'
import type { Expression, ExpressionBuilder, ExpressionWrapper, SqlBool } from 'kysely'
import type { JobRow, RunRow } from '../../store/schema/run.ts'
import type { Tables } from '../../store/schema/tables.ts'
import type { Session } from '../../store/store.ts'
import { createHistory, type History } from '../base/history.ts'
import { isClosed } from '../decision/job-view.ts'
import type { EnginePorts } from '../port/engine-ports.ts'
import type { EventPort } from '../port/event-port.ts'
import { advanceRun } from '../run/advance-run.ts'
import { closeRun, type LockedRunChange } from '../run/close-run.ts'
import { cancelMessages } from '../run/fail-messages.ts'
import { toRunWork } from '../run/lane.ts'
import { lockRun } from '../run/lock-run.ts'
import { lockJoinedDigests } from '../waits/lock-digest.ts'
import { promoteDigest } from '../waits/promote-digest.ts'

/** The origin of a cancellation: an API call, a user of the studio, or the deletion of the subscriber. */
export type CanceledBy = 'api' | 'studio' | 'subscriber'

/** Why a run is canceled. */
export type CancelCause =
  | {
      readonly by: CanceledBy
      /** The person or key that canceled. */
      readonly who?: string | undefined
    }
  | {
      readonly by: 'parent'
      /** Row id of the run whose step awaited this one. */
      readonly runId: string | null
    }
  | {
      readonly by: 'event'
      /** The name of the emitted event. */
      readonly event: string
      /** Its row id. */
      readonly eventId: string
    }

/** Types of steps that have not done anything yet during their bridge call. */
const waitTypes: readonly StepType[] = stepTypes.filter((type) => isOfClass(type, 'wait', 'throttle', 'trigger'))
const cancelableStatuses = ['pending', 'queued', 'delayed', 'merged'] as const

/**
 * Cancels the unfinished work of a run: steps that wait or have not started, the runs that its steps await, and its event
 * in an open digest. A wait during its bridge call is canceled too, because it would otherwise start and hold the events
 * of later runs. If the subscriber was deleted, all steps in progress are canceled, unless their messages are being sent.
 *
 * @param runId - Row id of the run.
 * @param cause - Stored in the history.
 * @returns Whether something was canceled.
 */
export async function cancelRun(
  { store, clock, queue, events }: EnginePorts,
  runId: string,
  cause: CancelCause,
): Promise<boolean> {
  return store.transaction(async (tx) => {
    const nowMs = clock.now()
    // Promoting a digest locks its bucket before its runs. The same order here prevents deadlocks.
    await lockJoinedDigests(tx, runId, nowMs)
    const run = await lockRun(tx, runId, nowMs)
    if (!run) return false
    // The run may have joined a digest while this transaction waited for its lock.
    await lockJoinedDigests(tx, runId, nowMs)
    const jobs = tx.selectFrom('jobs').selectAll().where('runId', '=', runId).where(isCancelable(cause.by))
    const cancelable = await jobs.orderBy('position').execute()
    const isOpen = run.next !== null && !isClosed(run)
    const isCalled = isImmediate(cause.by) && run.nextClaim !== null
    if (cancelable.length === 0 && !isOpen && !isCalled) return false
    const history = createHistory(run.environmentId, nowMs)
    const closed = await closeRun({ tx, run, nowMs, history, queue, events }, 'canceled')
    const change = isCalled ? await dropCall(closed) : closed
    if (isOpen) history.note({ runId, jobId: null }, 'runCanceled', cause)
    for (const job of cancelable)
      if (job.type === 'digest' && job.status === 'delayed') await promoteDigest(change, job)
    const canceled = await cancelJobs(cancelable, { tx, run, nowMs, history, events, cause })
    const ofTriggers = cancelable.filter(({ type, status }) => type === 'trigger' && status === 'delayed')
    await queue.add(
      tx,
      ofTriggers.map(({ id }) => toRunWork(run, 'cancel-children', id)),
    )
    await advanceRun(change)
    await history.write(tx)
    return canceled || isOpen
  })
}

/**
 * Returns whether steps in progress are canceled too. The preferences of a deleted subscriber are unknown, so nothing more
 * may be sent.
 */
const isImmediate = (by: CancelCause['by']): boolean => by === 'subscriber'

/** Drops the reply to the bridge call in progress. */
async function dropCall(change: LockedRunChange): Promise<LockedRunChange> {
  const { tx, run } = change
  await tx.updateTable('runs').set({ nextClaim: null }).where('id', '=', run.id).execute()
  return { ...change, run: { ...run, nextClaim: null } }
}

type JobCondition = (where: ExpressionBuilder<Tables, 'jobs'>) => Expression<SqlBool>

/**
 * Returns the condition of jobs that a cancellation ends: those that wait or have not started. Merged jobs are included
 * only while the digest that merged them is open.
 */
const isCancelable =
  (by: CancelCause['by']): JobCondition =>
  (where) =>
    where.or([
      where('jobs.status', 'in', ['pending', 'queued', 'delayed']),
      isInterruptible(by)(where),
      where.and([where('jobs.status', '=', 'merged'), where.exists(openDigestOf(where))]),
    ])

/** Returns the condition of runs that a cancellation changes. */
export const hasCancelable =
  (by: CancelCause['by']) =>
  (where: ExpressionBuilder<Tables, 'runs'>): ExpressionWrapper<Tables, 'runs', SqlBool> =>
    where.and([
      where('runs.status', 'in', ['running', 'merged']),
      where.or([
        where('runs.next', 'in', ['idle', 'due', 'calling']),
        ...(isImmediate(by) ? [where('runs.nextClaim', 'is not', null)] : []),
        where.exists(
          where.selectFrom('jobs').select('jobs.id').whereRef('jobs.runId', '=', 'runs.id').where(isCancelable(by)),
        ),
      ]),
    ])

/** Running jobs that have not done anything yet; for a deleted subscriber, all whose messages are not being sent. */
const isInterruptible =
  (by: CancelCause['by']): JobCondition =>
  (where) =>
    where.and([
      where('jobs.status', '=', 'running'),
      isImmediate(by)
        ? where.or([where('jobs.stage', 'is', null), where('jobs.stage', '!=', 'sending')])
        : where('jobs.type', 'in', waitTypes),
    ])

/** Steps after a merged digest were merged with it. */
function openDigestOf(where: ExpressionBuilder<Tables, 'jobs'>) {
  return where
    .selectFrom('jobs as taken')
    .innerJoin('jobs as digest', 'digest.id', 'taken.mergedIntoId')
    .select('digest.id')
    .whereRef('taken.runId', '=', 'jobs.runId')
    .where('digest.status', '=', 'delayed')
    .where((own) => own.or([own('jobs.mergedIntoId', 'is', null), own('taken.id', '=', own.ref('jobs.id'))]))
}

interface Cancellation {
  readonly events: EventPort
  readonly tx: Session
  readonly run: RunRow
  readonly nowMs: number
  readonly history: History
  readonly cause: CancelCause
}

/** A queued job may have started in the meantime. It then continues, unless it is a wait. */
async function cancelJobs(
  jobs: readonly JobRow[],
  { tx, run, nowMs, history, events, cause }: Cancellation,
): Promise<boolean> {
  if (jobs.length === 0) return false
  const ids = jobs.map(({ id }) => id)
  const columns = { status: 'canceled', mergedIntoId: null, endedAt: nowMs, completedOrder: run.sequence } as const
  const rows = await tx
    .updateTable('jobs')
    .set({ ...columns, updatedAt: nowMs })
    .where('id', 'in', ids)
    .where((where) => where.or([where('status', 'in', cancelableStatuses), isInterruptible(cause.by)(where)]))
    .returning('id')
    .execute()
  for (const { id } of rows) history.note({ runId: run.id, jobId: id }, 'canceled', cause)
  await cancelMessages(
    { tx, run, nowMs, events },
    rows.map(({ id }) => id),
  )
  return rows.length > 0
}
