import type { StepType } from '@trestle/protocol'
import type { TakenItem } from '../../queue/queue.ts'
import { createHistory } from '../base/history.ts'
import { toEmptyResult } from '../decision/stored-state.ts'
import type { SentMessage } from '../port/channel-port.ts'
import type { EnginePorts } from '../port/engine-ports.ts'
import { advanceRun, toLane } from '../run/advance-run.ts'
import type { HeldJob } from '../run/held-job.ts'
import { writeJob } from '../run/job-change.ts'
import { lockRun } from '../run/lock-run.ts'

/**
 * Hands the stored messages of a step to their providers, and ends the step. A message whose answer was not stored,
 * because the service was ended in between, is handed over again. Where one is put off, the step comes back for it.
 *
 * @param ports - What the engine acts through.
 * @param held - The step.
 * @param complete - Takes the work out of the queue.
 */
export async function sendMessages(
  { store, queue, clock, channels }: EnginePorts,
  held: HeldJob,
  complete: TakenItem['complete'],
): Promise<void> {
  const waiting = await store.db
    .selectFrom('messages')
    .select('id')
    .where('jobId', '=', held.job.id)
    .where('status', '=', 'pending')
    .execute()
  const sent = new Map<string, SentMessage>()
  for (const { id } of waiting) sent.set(id, await channels.send(id))
  await store.transaction(async (tx) => {
    const nowMs = clock.now()
    const run = await lockRun(tx, held.run.id, nowMs)
    const job = await tx.selectFrom('jobs').selectAll().where('id', '=', held.job.id).executeTakeFirst()
    if (run && job?.claim === held.claim && job.status === 'running') {
      const history = createHistory(run.environmentId, nowMs)
      for (const [id, { patch, notes }] of sent) {
        await tx
          .updateTable('messages')
          .set({ updatedAt: nowMs, ...patch })
          .where('id', '=', id)
          .execute()
        for (const note of notes) history.noteDelivery({ runId: run.id, jobId: job.id }, { messageId: id, ...note })
      }
      const change = { tx, run, job, held, nowMs, history, queue, channels }
      const delayMs = Math.max(0, ...[...sent.values()].map(({ retryMs = 0 }) => retryMs))
      if (delayMs > 0) {
        // Queued, so that it can be canceled until then.
        await writeJob(change, { status: 'queued' })
        await queue.add(tx, [{ kind: 'job', id: job.id, lane: toLane(run) }], { delayMs })
      } else {
        const result = toEmptyResult(job.type as StepType)
        await writeJob(change, { status: 'completed', result, patch: { stage: null } })
        await advanceRun(change)
      }
      await history.write(tx)
    }
    await complete(tx)
  })
}
