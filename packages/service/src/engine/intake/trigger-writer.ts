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

interface Waiting {
  readonly rows: readonly TriggerRow[]
  readonly resolve: () => void
  readonly reject: (error: unknown) => void
}

const rowsPerTransaction = 200
/** SQLite has one writer; PostgreSQL stores on several connections side by side; with fewer at a time it waits for its disk, with more they share less. */
const transactionsAtOnce = { sqlite: 1, postgres: 4 } as const

/**
 * Creates a writer in which triggers that come while others are being stored share the next transaction: under load
 * that costs less than one for each.
 *
 * @param driver - The database.
 * @param queue - Where work waits for its turn.
 */
export function createTriggerWriter(driver: StoreDriver, queue: Pick<Queue, 'addWith'>): TriggerWriter {
  let waiting: Waiting[] = []
  let writing = 0

  function storeRows(rows: readonly TriggerRow[]): Promise<void> {
    const items = rows.map((row) => ({ kind: 'trigger', id: row.id, lane: toLane(row) }))
    return queue.addWith('triggers', rows, items)
  }

  async function settle({ rows, resolve, reject }: Waiting): Promise<void> {
    await storeRows(rows).then(resolve, reject)
  }

  async function writeSome(some: readonly Waiting[]): Promise<void> {
    const [first, ...others] = some
    if (first && others.length === 0) return settle(first)
    try {
      await storeRows(some.flatMap(({ rows }) => rows))
      for (const { resolve } of some) resolve()
    } catch {
      // One that cannot be stored must not fail the others.
      for (const one of some) await settle(one)
    }
  }

  async function writeAll(): Promise<void> {
    writing++
    while (waiting.length > 0) {
      const some = takeSome(waiting)
      waiting = waiting.slice(some.length)
      await writeSome(some)
    }
    writing--
  }

  return {
    write: (rows) =>
      new Promise((resolve, reject) => {
        waiting.push({ rows, resolve, reject })
        if (writing < transactionsAtOnce[driver]) void writeAll()
      }),
  }
}

/** The first ones, as many as fit into one transaction, one at least. */
function takeSome(waiting: readonly Waiting[]): readonly Waiting[] {
  let count = 0
  const end = waiting.findIndex(({ rows }) => {
    count += rows.length
    return count > rowsPerTransaction
  })
  return end === -1 ? waiting : waiting.slice(0, Math.max(1, end))
}
