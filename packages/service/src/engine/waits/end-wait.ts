import type { JsonObject } from '@trestle/protocol'
import { type DigestEvent, toDigestResult } from '@trestle/run-rules'
import type { JobRow } from '../../store/schema/run.ts'
import type { Session } from '../../store/store.ts'
import { createHistory } from '../base/history.ts'
import { parseObject } from '../base/parse-json.ts'
import type { EnginePorts } from '../port/engine-ports.ts'
import { advanceRun } from '../run/advance-run.ts'
import { lockRun } from '../run/lock-run.ts'
import { closeBucket } from './close-bucket.ts'

/**
 * Ends a due wait: a delay, or a digest with its collected events. Does nothing for a job that no longer waits.
 *
 * @param waiting - Row ids of the waiting job and its run.
 */
export async function endWait(
  { store, queue, clock }: EnginePorts,
  waiting: { readonly jobId: string; readonly runId: string },
): Promise<void> {
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
    const history = createHistory(run.environmentId, nowMs)
    const isDigest = job.type === 'digest'
    const result = isDigest ? await closeDigest(tx, job, nowMs) : { duration: nowMs - (job.calledAt ?? job.createdAt) }
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
    const raw = isDigest ? { eventCount: result['eventCount'] } : result
    history.note({ runId: run.id, jobId: job.id }, isDigest ? 'digestFinished' : 'delayFinished', raw)
    await advanceRun({ tx, run, nowMs, history, queue })
    await history.write(tx)
  })
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
      // Several processes may call the bridge in a different order than the events happened.
      ({ id, createdAt, payload }): DigestEvent => ({ id, atMs: createdAt, payload: parseObject(payload) }),
    ),
  )
}
