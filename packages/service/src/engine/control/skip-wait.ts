import { createHistory } from '../base/history.ts'
import type { EnginePorts } from '../port/engine-ports.ts'

export interface NamedJob {
  /** Row id of the environment. */
  readonly environmentId: string
  /** Row id of the step. */
  readonly jobId: string
}

/**
 * Ends a delay or digest now.
 *
 * @returns Whether the step was waiting.
 */
export async function skipWait({ store, clock }: EnginePorts, named: NamedJob): Promise<boolean> {
  return store.transaction(async (tx) => {
    const nowMs = clock.now()
    const job = await tx
      .updateTable('jobs')
      .set({ dueAt: nowMs, updatedAt: nowMs })
      .where('id', '=', named.jobId)
      .where('environmentId', '=', named.environmentId)
      .where('status', '=', 'delayed')
      // A step that awaits the runs that it triggered has no end that could come early.
      .where('dueAt', 'is not', null)
      .returning(['id', 'runId'])
      .executeTakeFirst()
    if (!job) return false
    const history = createHistory(named.environmentId, nowMs)
    history.note({ runId: job.runId, jobId: job.id }, 'waitSkipped')
    await history.write(tx)
    return true
  })
}
