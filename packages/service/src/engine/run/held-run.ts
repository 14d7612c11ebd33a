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
 * @returns The runs with their jobs, in order; `undefined` for a run without a due call, one that is canceled meanwhile,
 * or a duplicate id.
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
  const uncanceled = await withoutCanceled(db, await loadRuns(db, rows))
  const loaded = new Map(uncanceled.map((one) => [one.run.id, one]))
  return runIds.map((id, index) => {
    const run = runIds.indexOf(id) === index ? loaded.get(id) : undefined
    return run && { claim, calledAt: nowMs, ...run }
  })
}

/**
 * Leaves out runs that were canceled between their claim and the loading of their jobs. To a bridge, a canceled wait
 * has ended, so it would run the steps after it.
 */
async function withoutCanceled(db: Session, runs: readonly LoadedRun[]): Promise<readonly LoadedRun[]> {
  const suspects = runs.filter(({ jobs }) => jobs.some(({ status }) => status === 'canceled'))
  if (suspects.length === 0) return runs
  const canceled = await db
    .selectFrom('runs')
    .select('id')
    .where(
      'id',
      'in',
      suspects.map(({ run }) => run.id),
    )
    .where('next', '=', 'canceled')
    .execute()
  const ids = new Set(canceled.map(({ id }) => id))
  return runs.filter(({ run }) => !ids.has(run.id))
}
