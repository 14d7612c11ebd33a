import type { BridgeOutcome } from '../../bridge/bridge-call.ts'
import { createId } from '../../store/create-id.ts'
import { insertLate } from '../../store/late-rows.ts'
import type { RunChange } from '../run/advance-run.ts'

/**
 * Stores a bridge call so that users can inspect it.
 *
 * @param jobId - Row id of the called step; `null` if the call had no step.
 * @param outcome - The outcome of the call.
 */
export async function recordCall(
  { tx, run, nowMs }: RunChange,
  jobId: string | null,
  { record }: Pick<BridgeOutcome, 'record'>,
): Promise<void> {
  await insertLate(tx, 'bridgeCalls', [
    {
      id: createId(nowMs),
      environmentId: run.environmentId,
      runId: run.id,
      jobId,
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
