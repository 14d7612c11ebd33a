import { createBatches } from '../../batches/batches.ts'
import type { Lanes } from '../../queue/lanes.ts'
import { isOverload } from '../../store/faults/is-overload.ts'
import { groupBy } from '../../store/shared/row-list.ts'
import { shareStatements } from '../../store/shared/shared-statement.ts'
import type { Session, Store, StoreDriver } from '../../store/store.ts'
import type { EnginePorts } from '../port/engine-ports.ts'
import { type HeldJob, holdJobs } from '../run/held-job.ts'
import { type HeldRun, holdRuns } from '../run/held-run.ts'
import type { StoreChange, WorkChange } from '../run/work-change.ts'
import type { JobWork } from './run-job.ts'
import { findSeen, type SeenMessage } from './step-event.ts'

/** The maximum number of items that are claimed together. */
const maxClaims = 32
/** The maximum number of changes per transaction, because other changes wait for it. */
const maxChanges = 32
/** SQLite has one writer. With more concurrent transactions on PostgreSQL, each would store fewer changes. */
const maxTransactions: Readonly<Record<StoreDriver, number>> = { sqlite: 1, postgres: 2 }

/** Creates a function that stores changes. Concurrent changes share transactions. */
export function createStoreChange(store: Store): StoreChange {
  const write = createBatches<WorkChange<unknown>, unknown>({
    maxWeight: maxChanges,
    isLowPriority: ({ priority }) => priority === 'bulk',
    concurrency: maxTransactions[store.driver],
    run: (batch) => store.transaction((tx) => storeAll(tx, batch)),
  })
  return (change) => write(change) as ReturnType<typeof change.work>
}

/**
 * Creates the database access of the work on single jobs and runs. Concurrent work shares statements and transactions.
 *
 * @param note - Called with the priority of a change before it is stored.
 */
export function createSharedWork(
  { store, clock }: Pick<EnginePorts, 'store' | 'clock'>,
  note: Lanes['note'] = () => undefined,
): Pick<JobWork, 'holdJob' | 'holdRun' | 'loadSeen' | 'store'> {
  const storeChange = createStoreChange(store)
  return {
    holdJob: createBatches<string, HeldJob | undefined>({
      maxWeight: maxClaims,
      run: (ids) => holdJobs(store.db, ids, clock.now()),
    }),
    holdRun: createBatches<string, HeldRun | undefined>({
      maxWeight: maxClaims,
      run: (ids) => holdRuns(store.db, ids, clock.now()),
    }),
    loadSeen: createBatches<readonly string[], readonly SeenMessage[]>({
      maxWeight: maxClaims,
      run: (requests) => findSeen(store.db, requests),
    }),
    store(change) {
      note(change.priority)
      return storeChange(change)
    },
  }
}

/**
 * Stores changes in one transaction. Changes of different runs are made concurrently and share statements; those of one
 * run, and those that affect other runs, are made one after the other.
 */
async function storeAll(tx: Session, changes: readonly WorkChange<unknown>[]): Promise<readonly unknown[]> {
  const results = new Map<WorkChange<unknown>, unknown>()
  const storeInTurn = async (some: readonly WorkChange<unknown>[]): Promise<void> => {
    for (const change of some) results.set(change, await change.work(tx))
  }
  const chains = [
    ...groupBy(
      changes.filter(({ isOwn }) => isOwn),
      ({ runId }) => runId,
    ).values(),
  ]
  if (chains.length > 1) shareStatements(tx)
  // A failure ends the transaction, but only once all concurrent work on it has settled.
  const ends = await Promise.allSettled(chains.map(storeInTurn))
  const faults = ends.flatMap((end) => (end.status === 'rejected' ? [end.reason] : []))
  if (faults.length > 0) throw faults.find(isOverload) ?? faults[0]
  await storeInTurn(changes.filter(({ isOwn }) => !isOwn))
  return changes.map((change) => results.get(change))
}
