import type { Store } from '../store/store.ts'
import { putItems, putWithRows } from './put-items.ts'
import type { Queue } from './queue.ts'
import { createQueueDriver } from './queue-driver.ts'
import { createSignalChannel } from './signal-channel.ts'
import { createWakeUp } from './wake-up.ts'
import type { OnTakeover } from './watch-processes.ts'
import { startWorker } from './worker.ts'

/** How often the queue checks for work whose signal was missed, or that another process delayed. */
export const defaultPollMs = 250

/** Options of the queue. */
export interface QueueOptions {
  /** How often the queue checks for work without a signal, in milliseconds. @default 250 */
  readonly pollMs?: number
  /** Receives errors of background work. */
  readonly onError?: (error: unknown) => void
  /** Receives processes that were found dead, and the number of their items that were requeued. */
  readonly onTakeover?: OnTakeover
}

/**
 * Creates the queue in a table of the service's database.
 *
 * @param store - The database. Its migrations must have run.
 */
export function createQueue(store: Store, options: QueueOptions = {}): Queue {
  const onError = options.onError ?? (() => undefined)
  const driver = createQueueDriver(store)
  const wakeUp = createWakeUp()
  const { onTakeover } = options
  const workers = new Set<{ readonly hasCapacity: (count: number) => boolean }>()
  const channel =
    store.databaseUrl === undefined
      ? undefined
      : createSignalChannel({
          ...{ name: 'trestle_queue', db: store.db, databaseUrl: store.databaseUrl, onError },
          onSignal: wakeUp.wake,
          onReconnect: wakeUp.wake,
        })

  /** Wakes the workers of this process. Wakes other processes too if this one lacks capacity. */
  function wake(count: number): void {
    wakeUp.wake()
    if (![...workers].some(({ hasCapacity }) => hasCapacity(count))) channel?.send('work')
  }

  return {
    async add(tx, items, { delayMs = 0 } = {}) {
      if (items.length === 0) return
      await putItems(tx, items, delayMs)
      if (delayMs <= 0) store.afterCommit(tx, () => wake(items.length))
      else setTimeout(wakeUp.wake, Math.min(delayMs, 60_000)).unref()
    },
    async addWith(table, rows, items) {
      if (rows.length === 0) return
      await putWithRows(store, { table, rows }, items)
      wake(items.length)
    },
    work(handler, workOptions) {
      channel?.listen()
      const ports = { store, driver, wakeUp, pollMs: options.pollMs ?? defaultPollMs, onTakeover }
      const worker = startWorker(ports, handler, { onError, ...workOptions })
      const entry = { hasCapacity: (count: number) => worker.active() + count <= workOptions.concurrency }
      workers.add(entry)
      return {
        active: worker.active,
        stop(graceMs) {
          workers.delete(entry)
          return worker.stop(graceMs)
        },
      }
    },
    size: driver.size,
    state: driver.state,
    close: async () => channel?.close(),
  }
}
