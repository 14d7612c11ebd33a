import type { BridgeFailure } from '../../bridge/bridge-call.ts'
import type { TakenItem } from '../../queue/queue.ts'
import { createHistory } from '../base/history.ts'
import type { EnginePorts } from '../port/engine-ports.ts'
import { advanceRun } from '../run/advance-run.ts'
import { failMessages } from '../run/fail-messages.ts'
import type { HeldJob } from '../run/held-job.ts'
import { writeJob } from '../run/job-change.ts'
import { lockRun } from '../run/lock-run.ts'

/**
 * Fails a job whose result cannot be stored, and its pending messages. Its run continues.
 *
 * @param rest - The reason, and the function that removes the work from the queue.
 */
export async function failJob(
  { store, queue, clock, channels, events }: EnginePorts,
  held: HeldJob,
  { error, complete }: { readonly error: unknown; readonly complete: TakenItem['complete'] },
): Promise<void> {
  await store.transaction(async (tx) => {
    const nowMs = clock.now()
    const run = await lockRun(tx, held.run.id, nowMs)
    const row = await tx.selectFrom('jobs').select(['claim', 'status']).where('id', '=', held.job.id).executeTakeFirst()
    if (run && row?.claim === held.claim && row.status === 'running') {
      const history = createHistory(run.environmentId, nowMs)
      const change = { tx, run, job: held.job, subscriber: held.subscriber, nowMs, history, queue, channels, events }
      const reason = toReason(error)
      history.note({ runId: run.id, jobId: held.job.id }, 'faulted', { reason })
      const fault = toServiceFault(reason)
      await writeJob(change, { status: 'failed', error: fault })
      await failMessages(change, [held.job.id], { errorId: fault.code, errorText: fault.message })
      await advanceRun(change)
      await history.write(tx)
    }
    await complete(tx)
  })
}

/**
 * Returns the error of a step that the service itself could not complete.
 *
 * @param reason - A storable text.
 */
export function toServiceFault(reason: string): BridgeFailure {
  return { code: 'ServiceError', status: 500, message: `The step could not be completed: ${reason}`, data: null }
}

/** Returns the reason of a service failure as a storable text. */
export function toReason(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error)
  // The message may contain the value that could not be stored.
  return Buffer.from(text.replaceAll('\0', '')).toString()
}
