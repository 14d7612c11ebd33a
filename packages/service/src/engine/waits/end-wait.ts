import { isOfClass, type JsonObject, type StepType, type StepTypeOf } from '@trestle/protocol'
import { type DigestEvent, toDigestResult, toEmptyResult } from '@trestle/run-rules'
import type { JobRow } from '../../store/schema/run.ts'
import type { Session } from '../../store/store.ts'
import { createHistory } from '../base/history.ts'
import { parseObject } from '../base/parse-json.ts'
import type { DetailName } from '../decision/detail.ts'
import { receiveEvent } from '../events/receive-event.ts'
import type { EnginePorts } from '../port/engine-ports.ts'
import { advanceRun, type RunChange } from '../run/advance-run.ts'
import { toLane } from '../run/lane.ts'
import { lockRun } from '../run/lock-run.ts'
import { closeBucket } from './close-bucket.ts'

/**
 * Ends a due wait: a delay, a digest with its collected events, a wait for an event, or the back-off of a failed step.
 * Does nothing for a job that no longer waits.
 *
 * @param waiting - The waiting job with its kind of step, and its run, by their row ids.
 */
export async function endWait(
  ports: Pick<EnginePorts, 'store' | 'queue' | 'clock' | 'events'>,
  waiting: { readonly jobId: string; readonly runId: string; readonly type: StepType },
): Promise<void> {
  const { store, queue, clock } = ports
  // An event that was emitted in time counts, even if its turn has not come yet.
  if (waiting.type === 'wait_for_event' && (await receiveEvent(ports, waiting.jobId, () => false))) return
  await store.transaction(async (tx) => {
    const nowMs = clock.now()
    const run = await lockRun(tx, waiting.runId, nowMs)
    const job = await tx
      .selectFrom('jobs')
      .selectAll()
      .where('id', '=', waiting.jobId)
      .where('status', '=', 'delayed')
      .where('dueAt', '<=', nowMs)
      .executeTakeFirst()
    if (!run || !job) return
    if (job.stage === 'retrying') return retryStep({ tx, run, nowMs, queue }, job)
    if (!isOfClass(job.type, 'wait')) return
    const history = createHistory(run.environmentId, nowMs)
    const { result, name, raw = result } = await ends[job.type](tx, job, nowMs)
    await tx
      .updateTable('jobs')
      .set({
        status: 'completed',
        result: JSON.stringify(result),
        endedAt: nowMs,
        completedOrder: run.sequence,
        updatedAt: nowMs,
      })
      .where('id', '=', job.id)
      .execute()
    history.note({ runId: run.id, jobId: job.id }, name, raw)
    await advanceRun({ tx, run, nowMs, history, queue, events: ports.events })
    await history.write(tx)
  })
}

/** Queues a failed step whose back-off has ended. */
async function retryStep(
  { tx, run, nowMs, queue }: Pick<RunChange, 'tx' | 'run' | 'nowMs' | 'queue'>,
  { id }: JobRow,
): Promise<void> {
  const history = createHistory(run.environmentId, nowMs)
  await tx
    .updateTable('jobs')
    .set({ status: 'queued', stage: null, dueAt: null, updatedAt: nowMs })
    .where('id', '=', id)
    .execute()
  history.note({ runId: run.id, jobId: id }, 'retryStarted')
  await queue.add(tx, [{ kind: 'job', id, lane: toLane(run), priority: 'ongoing' }])
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
    const result = await closeDigest(tx, job, nowMs)
    return { result, name: 'digestFinished', raw: { eventCount: result['eventCount'] } }
  },
  wait_for_event: async (_, job) => ({ result: toEmptyResult(job.type), name: 'eventMissed' }),
}

/** Closes the bucket first, so that no event is added after they were collected. */
async function closeDigest(tx: Session, job: JobRow, nowMs: number): Promise<JsonObject> {
  await closeBucket(tx, job, nowMs)
  const rows = await tx
    .selectFrom('jobs')
    .innerJoin('runs', 'runs.id', 'jobs.runId')
    .select(['runs.id', 'runs.createdAt', 'runs.payload'])
    .where((where) =>
      where.or([
        where('jobs.id', '=', job.id),
        where.and([where('jobs.mergedIntoId', '=', job.id), where('jobs.status', '=', 'merged')]),
      ]),
    )
    .orderBy('runs.id')
    .execute()
  return toDigestResult(
    rows.map(
      // Several processes may call the bridge in an order that differs from that of the events.
      ({ id, createdAt, payload }): DigestEvent => ({ id, atMs: createdAt, payload: parseObject(payload) }),
    ),
  )
}
