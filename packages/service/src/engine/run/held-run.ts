import { randomUUID } from 'node:crypto'
import { runPrepared } from '../../store/prepared.ts'
import type { Session } from '../../store/store.ts'
import { type LoadedRun, loadRun } from './held-job.ts'

/** A run whose bridge is asked by this process what comes next. */
export interface HeldRun extends LoadedRun {
  /** Identifies the call; a process that makes the same call later has another one. */
  readonly claim: string
  /** When it was taken, milliseconds since 1970. */
  readonly calledAt: number
}

/**
 * Takes a run to ask its bridge what comes next. One that is being called already was held by a process that died, or that
 * has lost it.
 *
 * @param db - The session.
 * @param runId - Row id of the run.
 * @param nowMs - The time, milliseconds since 1970.
 * @returns The run and what belongs to it; `undefined` if no call is due.
 */
export async function holdRun(db: Session, runId: string, nowMs: number): Promise<HeldRun | undefined> {
  const claim = randomUUID()
  const { rows } = await runPrepared(db, {
    name: 'take a run',
    values: ['calling', claim, nowMs, runId, 'due', 'calling'],
    build: () =>
      db
        .updateTable('runs')
        .set({ next: 'calling', nextClaim: claim, updatedAt: nowMs })
        .where('id', '=', runId)
        .where('next', 'in', ['due', 'calling'])
        .returningAll(),
  })
  const [run] = rows
  return run && { claim, calledAt: nowMs, ...(await loadRun(db, run)) }
}
