import { runPrepared } from '../../store/prepared.ts'
import type { RunRow } from '../../store/schema/run.ts'
import type { Session } from '../../store/store.ts'

/**
 * Locks a run for the rest of a transaction, so that jobs of it that end at the same time see each other, and counts
 * the change.
 *
 * @param tx - The session of the transaction.
 * @param runId - Row id of the run.
 * @param nowMs - The time, milliseconds since 1970.
 * @returns The run; its `sequence` is the place of this change among the run's. `undefined` when there is none.
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
