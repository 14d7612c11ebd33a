import type { JsonObject } from '@trestle/protocol'
import { countRun, type SettledWait } from '@trestle/run-rules'
import type { JobChange, Settled } from '../run/job-change.ts'
import { toBucket } from './enter-digest.ts'

/**
 * Enters a throttle, which lets the run continue, or skips all its remaining steps.
 *
 * @param outputs - The outputs of the handler.
 * @param wait - The end of a window that opens now.
 * @source service-api.md#throttle
 */
export async function enterThrottle(change: JobChange, outputs: JsonObject, wait: SettledWait): Promise<Settled> {
  const { tx, run, job, nowMs, history } = change
  const bucket = toBucket(change, outputs['throttleKey'])
  const throttle = await tx
    .insertInto('throttles')
    .values({ bucket, environmentId: run.environmentId, startAt: nowMs, endAt: nowMs, count: 0 })
    // Locks an existing row.
    .onConflict((conflict) => conflict.column('bucket').doUpdateSet({ environmentId: run.environmentId }))
    .returningAll()
    .executeTakeFirstOrThrow()
  const { window, throttled, result } = countRun(
    { startMs: throttle.startAt, endMs: throttle.endAt, count: throttle.count },
    outputs,
    { nowMs, endMs: wait.endMs },
  )
  await tx
    .updateTable('throttles')
    .set({ startAt: window.startMs, endAt: window.endMs, count: window.count })
    .where('bucket', '=', bucket)
    .execute()
  history.note({ runId: run.id, jobId: job.id }, throttled ? 'throttled' : 'throttlePassed', result)
  return {
    status: throttled ? 'skipped' : 'completed',
    result,
    outputs,
    patch: { bucket },
    ...(throttled && { rest: { status: 'skipped', name: 'skippedAfterThrottle' } as const }),
  }
}
