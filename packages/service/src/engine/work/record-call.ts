import type { BridgeOutcome } from '../../bridge/bridge-call.ts'
import { createId } from '../../store/create-id.ts'
import { insertPrepared } from '../../store/prepared.ts'
import type { JobChange } from '../run/job-change.ts'

/**
 * Keeps a call of a bridge for people to look at, with its failed attempts in the history of the run.
 *
 * @param change - The step that was called, and what it takes.
 * @param outcome - How the call ended.
 */
export async function recordCall(change: JobChange, { record }: BridgeOutcome): Promise<void> {
  const { tx, run, job, nowMs, history } = change
  for (const attempt of record.attempts)
    if (attempt.waitMs !== null) history.note({ runId: run.id, jobId: job.id }, 'bridgeRetried', attempt)
  await insertPrepared(tx, 'bridgeCalls', [
    {
      id: createId(nowMs),
      environmentId: run.environmentId,
      runId: run.id,
      jobId: job.id,
      action: 'execute',
      url: record.url,
      request: JSON.stringify(record.request),
      reply: JSON.stringify(record.reply),
      status: record.status,
      durationMs: Math.round(record.durationMs),
      createdAt: nowMs,
    },
  ])
}
