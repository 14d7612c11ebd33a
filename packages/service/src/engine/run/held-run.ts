import { randomUUID } from 'node:crypto'
import { createQueryKey, elementsOf, runPrepared } from '../../store/prepared.ts'
import type { Session } from '../../store/store.ts'
import { type LoadedRun, loadRuns } from './held-job.ts'

const takeRunsQuery = createQueryKey('take runs')

/** A run whose bridge this process asks for the next step. */
export interface HeldRun extends LoadedRun {
  /** The claim of the call; a later call has a different value. */
  readonly claim: string
  /** The time of the claim, in milliseconds since 1970. */
  readonly calledAt: number
}

/**
 * Claims runs to ask their bridges for the next step. A run that is already being called was claimed by a process that
 * died or lost its claim.
 *
 * @param runIds - Row ids of runs.
 * @returns The runs with their jobs, in order; `undefined` for a run without a due call, or a duplicate id.
 */
export async function holdRuns(
  db: Session,
  runIds: readonly string[],
  nowMs: number,
): Promise<readonly (HeldRun | undefined)[]> {
  const claim = randomUUID()
  const ids = JSON.stringify(runIds)
  const { rows } = await runPrepared(db, {
    key: takeRunsQuery,
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
