import { createBatches } from '../../batches/batches.ts'
import type { Queue } from '../../queue/queue.ts'
import type { TriggerRow } from '../../store/schema/run.ts'
import type { StoreDriver } from '../../store/store.ts'
import { toLane } from '../run/lane.ts'

/** Stores accepted triggers together with their work. */
export interface TriggerWriter {
  /** Stores triggers atomically. */
  write(rows: readonly TriggerRow[]): Promise<void>
}

const rowsPerTransaction = 200
/**
 * SQLite has one writer. On PostgreSQL, with fewer transactions, fewer would wait for the disk; with more, each would
 * store fewer triggers.
 */
const maxTransactions = { sqlite: 1, postgres: 4 } as const

/** Creates a writer. Triggers that arrive during a write share the next transaction, which costs less under load. */
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
