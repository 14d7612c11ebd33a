import { createBatches } from '../../batches/batches.ts'
import type { Queue } from '../../queue/queue.ts'
import type { TriggerRow } from '../../store/schema/run.ts'
import type { StoreDriver } from '../../store/store.ts'
import { toLane } from '../run/lane.ts'

/** Stores accepted triggers with the work they mean. */
export interface TriggerWriter {
  /**
   * Stores triggers; fulfills once they are stored. All of them are, or none.
   *
   * @param rows - The triggers.
   */
  write(rows: readonly TriggerRow[]): Promise<void>
}

const rowsPerTransaction = 200
/** SQLite has one writer; PostgreSQL stores on several connections side by side; with fewer at a time it waits for its disk, with more they share less. */
const maxTransactions = { sqlite: 1, postgres: 4 } as const

/**
 * Creates a writer in which triggers that come while others are being stored share the next transaction: under load
 * that costs less than one for each.
 *
 * @param driver - The database.
 * @param queue - Where work waits for its turn.
 */
export function createTriggerWriter(driver: StoreDriver, queue: Pick<Queue, 'addWith'>): TriggerWriter {
  const write = createBatches<readonly TriggerRow[], void>({
    maxWeight: rowsPerTransaction,
    weigh: (rows) => rows.length,
    concurrency: maxTransactions[driver],
    async run(batch) {
      const rows = batch.flat()
      const items = rows.map((row) => ({ kind: 'trigger', id: row.id, lane: toLane(row) }))
      await queue.addWith('triggers', rows, items)
      return []
    },
  })
  return { write }
}
