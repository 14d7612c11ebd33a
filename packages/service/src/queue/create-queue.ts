import type { Store } from '../store/store.ts'
import { putItems, putWithRows } from './put-items.ts'
import type { Queue } from './queue.ts'
import { createShelf } from './shelf.ts'
import { createWakeUp } from './wake-up.ts'
import type { OnTakeover } from './watch-processes.ts'
import { startWorker } from './worker.ts'

/** How often the queue looks for work that other processes added. */
export const defaultPollMs = 250

/** How the queue behaves. */
export interface QueueOptions {
  /** How often it looks for work that other processes added, in milliseconds. @default 250 */
  readonly pollMs?: number
  /** Receives errors of the background. */
  readonly onError?: (error: unknown) => void
  /** Receives the processes that were found dead, with how many of their items were taken over. */
  readonly onTakeover?: OnTakeover
}

/**
 * Creates the queue in a table of the service's own database.
 *
 * @param store - The database; its migrations have run.
 */
export function createQueue(store: Store, options: QueueOptions = {}): Queue {
  const onError = options.onError ?? (() => undefined)
  const shelf = createShelf(store)
  const wakeUp = createWakeUp()
  const { onTakeover } = options
  return {
    async add(tx, items, { delayMs = 0 } = {}) {
      if (items.length === 0) return
      await putItems(tx, items, delayMs)
      if (delayMs <= 0) store.afterCommit(tx, wakeUp.wake)
      else setTimeout(wakeUp.wake, Math.min(delayMs, 60_000)).unref()
    },
    async addWith(table, rows, items) {
      if (rows.length === 0) return
      await putWithRows(store, { table, rows }, items)
      wakeUp.wake()
    },
    work: (handler, workOptions) =>
      startWorker({ store, shelf, wakeUp, pollMs: options.pollMs ?? defaultPollMs, onTakeover }, handler, {
        onError,
        ...workOptions,
      }),
    size: shelf.size,
    state: shelf.state,
    close: async () => undefined,
  }
}
