import { createBatches } from '../../batches/batches.ts'
import type { TakenItem } from '../../queue/queue.ts'
import type { Session, StoreDriver } from '../../store/store.ts'
import type { EnginePorts } from '../port/engine-ports.ts'
import { type HeldJob, holdJobs } from '../run/held-job.ts'
import { type HeldRun, holdRuns } from '../run/held-run.ts'
import type { JobWork } from './run-job.ts'

/** So much is taken together. */
const mostTaken = 32
/** So much is stored together: others wait for the transaction. */
const mostStored = 16
/** SQLite has one writer; with more transactions at a time on PostgreSQL each stores less. */
const transactionsAtOnce: Readonly<Record<StoreDriver, number>> = { sqlite: 1, postgres: 2 }

interface Change {
  readonly item: TakenItem
  readonly work: (tx: Session) => Promise<unknown>
}

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
  const write = createBatches<Change, unknown>({
    most: mostStored,
    isLater: ({ item }) => item.priority === 'bulk',
    atOnce: transactionsAtOnce[store.driver],
    run: (some) =>
      store.transaction(async (tx) => {
        const results: unknown[] = []
        for (const { work } of some) results.push(await work(tx))
        return results
      }),
  })
  return {
    holdJob: createBatches<string, HeldJob | undefined>({
      most: mostTaken,
      run: (ids) => holdJobs(store.db, ids, clock.now()),
    }),
    holdRun: createBatches<string, HeldRun | undefined>({
      most: mostTaken,
      run: (ids) => holdRuns(store.db, ids, clock.now()),
    }),
    store: (item, work) => write({ item, work }) as ReturnType<typeof work>,
  }
}
