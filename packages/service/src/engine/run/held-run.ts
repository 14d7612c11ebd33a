import { randomUUID } from 'node:crypto'
import { elementsOf, runPrepared } from '../../store/prepared.ts'
import type { Session } from '../../store/store.ts'
import { type LoadedRun, loadRuns } from './held-job.ts'

/** A run whose bridge is asked by this process what comes next. */
export interface HeldRun extends LoadedRun {
  /** Identifies the call; a process that makes the same call later has another one. */
  readonly claim: string
  /** When it was taken, milliseconds since 1970. */
  readonly calledAt: number
}

/**
 * Takes runs to ask their bridges what comes next. One that is being called already was held by a process that died, or that has
 * lost it.
 *
 * @param db - The session.
 * @param runIds - Row ids of runs.
 * @param nowMs - The time, milliseconds since 1970.
 * @returns Each run and what belongs to it, in order; `undefined` if no call is due, or it was named before.
 */
export async function holdRuns(
  db: Session,
  runIds: readonly string[],
  nowMs: number,
): Promise<readonly (HeldRun | undefined)[]> {
  const claim = randomUUID()
  const ids = JSON.stringify(runIds)
  const { rows } = await runPrepared(db, {
    name: 'take runs',
    values: ['calling', claim, nowMs, ids, 'due', 'calling'],
    build: () =>
      db
        .updateTable('runs')
        .set({ next: 'calling', nextClaim: claim, updatedAt: nowMs })
        .where('id', 'in', elementsOf(db, ids))
        .where('next', 'in', ['due', 'calling'])
        .returningAll(),
  })
  const loaded = new Map((await loadRuns(db, rows)).map((one) => [one.run.id, one]))
  return runIds.map((id, index) => {
    const run = runIds.indexOf(id) === index ? loaded.get(id) : undefined
    return run && { claim, calledAt: nowMs, ...run }
  })
}
