import { createBatches } from '../../batches/batches.ts'
import type { Session, Store, StoreDriver } from '../../store/store.ts'
import type { EnginePorts } from '../port/engine-ports.ts'
import { type HeldJob, holdJobs } from '../run/held-job.ts'
import { type HeldRun, holdRuns } from '../run/held-run.ts'
import type { JobWork } from './run-job.ts'

/** So much is taken, or stored, together. A transaction of more would hold up others for too long. */
const most = 32
/** SQLite has one writer; with more transactions at a time on PostgreSQL each stores less. */
const transactionsAtOnce: Readonly<Record<StoreDriver, number>> = { sqlite: 1, postgres: 2 }

/**
 * Creates the access of work on single jobs to the database: what many of them ask at the same time shares statements and
 * transactions.
 *
 * @param ports - What the engine acts through.
 */
export function createSharedWork({
  store,
  clock,
}: Pick<EnginePorts, 'store' | 'clock'>): Pick<JobWork, 'holdJob' | 'holdRun' | 'store'> {
  const write = createBatches<(tx: Session) => Promise<unknown>, unknown>({
    most,
    atOnce: transactionsAtOnce[store.driver],
    run: (some) =>
      store.transaction(async (tx) => {
        const results: unknown[] = []
        for (const one of some) results.push(await one(tx))
        return results
      }),
  })
  return {
    holdJob: createBatches<string, HeldJob | undefined>({ most, run: (ids) => holdJobs(store.db, ids, clock.now()) }),
    holdRun: createBatches<string, HeldRun | undefined>({ most, run: (ids) => holdRuns(store.db, ids, clock.now()) }),
    store: write as Store['transaction'],
  }
}
