import type { BridgeOutcome } from '../../bridge/bridge-call.ts'
import { createId } from '../../store/create-id.ts'
import { insertLate } from '../../store/late-rows.ts'
import type { RunChange } from '../run/advance-run.ts'

/**
 * Keeps a call of a bridge for people to look at.
 *
 * @param change - The run that was called, and what it takes.
 * @param jobId - Row id of the step that was called; `null` if the call named none and ran none.
 * @param outcome - How the call ended.
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
