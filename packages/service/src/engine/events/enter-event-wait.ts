import type { JsonObject } from '@trestle/protocol'
import type { SettledWait } from '@trestle/run-rules'
import type { JobChange, Settled } from '../run/job-change.ts'
import { toRunWork } from '../run/lane.ts'
import { toWaitKeys } from './event-keys.ts'

/**
 * Lets a step wait for an event. Once the wait is stored, it looks for an event that arrived earlier.
 *
 * @param change - The step's job, and its run.
 * @param outputs - The output of its handler.
 * @param wait - The latest time at which it ends.
 */
export async function enterEventWait(change: JobChange, outputs: JsonObject, wait: SettledWait): Promise<Settled> {
  const { tx, run, job, nowMs, history, queue } = change
  const { event, match } = outputs
  const until = new Date(wait.endMs).toISOString()
  history.note({ runId: run.id, jobId: job.id }, 'eventAwaited', { event, match, waitMs: wait.endMs - nowMs, until })
  await queue.add(tx, [toRunWork(run, 'look-back', job.id)])
  return { status: 'delayed', outputs, patch: { dueAt: wait.endMs, bucket: toWaitKeys(outputs).bucket } }
}
