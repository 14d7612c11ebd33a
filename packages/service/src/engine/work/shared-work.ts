import { createBatches } from '../../batches/batches.ts'
import type { TakenItem } from '../../queue/queue.ts'
import type { Session, StoreDriver } from '../../store/store.ts'
import type { EnginePorts } from '../port/engine-ports.ts'
import { type HeldJob, holdJobs } from '../run/held-job.ts'
import { type HeldRun, holdRuns } from '../run/held-run.ts'
import type { JobWork } from './run-job.ts'

/** The maximum number of items that are claimed together. */
const maxClaims = 32
/** The maximum number of changes per transaction, because other changes wait for it. */
const maxChanges = 16
/** SQLite has one writer. With more concurrent transactions on PostgreSQL, each would store fewer changes. */
const maxTransactions: Readonly<Record<StoreDriver, number>> = { sqlite: 1, postgres: 2 }

interface Change {
  readonly item: TakenItem
  readonly work: (tx: Session) => Promise<unknown>
}

/**
 * Creates the database access of the work on single jobs and runs. Concurrent work shares statements and transactions.
 */
export function createSharedWork({
  store,
  clock,
}: Pick<EnginePorts, 'store' | 'clock'>): Pick<JobWork, 'holdJob' | 'holdRun' | 'store'> {
  const write = createBatches<Change, unknown>({
    maxWeight: maxChanges,
    isLowPriority: ({ item }) => item.priority === 'bulk',
    concurrency: maxTransactions[store.driver],
    run: (batch) =>
      store.transaction(async (tx) => {
        const results: unknown[] = []
        for (const { work } of batch) results.push(await work(tx))
        return results
      }),
  })
  return {
    holdJob: createBatches<string, HeldJob | undefined>({
      maxWeight: maxClaims,
      run: (ids) => holdJobs(store.db, ids, clock.now()),
    }),
    holdRun: createBatches<string, HeldRun | undefined>({
      maxWeight: maxClaims,
      run: (ids) => holdRuns(store.db, ids, clock.now()),
    }),
    store: (item, work) => write({ item, work }) as ReturnType<typeof work>,
  }
}
