import { runPrepared } from '../../store/prepared.ts'
import type { RunRow } from '../../store/schema/run.ts'
import type { Session } from '../../store/store.ts'

/**
 * Locks a run for the rest of the transaction and counts the change, so that jobs of the run that end concurrently see
 * each other.
 *
 * @returns The run, whose `sequence` is the number of this change; `undefined` if it does not exist.
 */
export async function lockRun(tx: Session, runId: string, nowMs: number): Promise<RunRow | undefined> {
  const { rows } = await runPrepared(tx, {
    name: 'lock a run',
    values: [1, nowMs, runId],
    build: () =>
      tx
        .updateTable('runs')
        .set((row) => ({ sequence: row('sequence', '+', 1), updatedAt: nowMs }))
        .where('id', '=', runId)
        .returningAll(),
  })
  return rows[0]
}
