import { createQueryKey, runPrepared } from '../../store/prepared.ts'
import type { RunRow } from '../../store/schema/run.ts'
import { hasOneOf } from '../../store/shared/row-list.ts'
import { createSharedStatement } from '../../store/shared/shared-statement.ts'
import type { Session } from '../../store/store.ts'

const lockRunsQuery = createQueryKey('lock runs')

/**
 * Locks a run for the rest of the transaction and counts the change, so that jobs of the run that end concurrently see
 * each other.
 *
 * @returns The run, whose `sequence` is the number of this change; `undefined` if it does not exist.
 */
export function lockRun(tx: Session, runId: string, nowMs: number): Promise<RunRow | undefined> {
  return lock(tx, { runId, nowMs })
}

const lock = createSharedStatement<{ readonly runId: string; readonly nowMs: number }, RunRow | undefined>({
  keyOf: ({ runId }) => runId,
  async run(tx, requests) {
    const nowMs = Math.max(...requests.map((request) => request.nowMs))
    const runIds = requests.map(({ runId }) => runId)
    const { condition, value, form, isNamed } = hasOneOf(tx, 'id', runIds)
    const { rows } = await runPrepared(tx, {
      key: lockRunsQuery,
      form,
      values: [1, nowMs, value],
      isNamed,
      build: () =>
        tx
          .updateTable('runs')
          .set((row) => ({ sequence: row('sequence', '+', 1), updatedAt: nowMs }))
          .where(condition)
          .returningAll(),
    })
    return requests.map(({ runId }) => rows.find(({ id }) => id === runId))
  },
})
