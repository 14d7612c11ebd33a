import { setMaxListeners } from 'node:events'
import { systemClock } from '../clock/clock.ts'
import type { Store } from '../store/store.ts'
import { createProcessRegistry, type ProcessRegistry } from './process-registry.ts'
import type { QueueHandler, QueueWorker, WorkOptions } from './queue.ts'
import type { Shelf, ShelfItem } from './shelf.ts'
import type { WakeUp } from './wake-up.ts'

const beatMs = 1_000
const firstRetryMs = 500
const longestRetryMs = 30_000
const longestTryMs = 2_000
const maxBatch = 64

/** Dependencies of a worker. */
export interface Workshop {
  /** The database. */
  readonly store: Store
  /** The queue's driver. */
  readonly shelf: Shelf
  /** The wake-up it waits for. */
  readonly wakeUp: WakeUp
  /** How long it waits at most, in milliseconds. */
  readonly pollMs: number
}

/**
 * Starts to take work and to hand it to the handler.
 *
 * @param options - How many items at a time, and who hears of errors.
 */
export function startWorker(workshop: Workshop, handler: QueueHandler, options: WorkOptions): QueueWorker {
  const { store, shelf, wakeUp, pollMs } = workshop
  const registry = createProcessRegistry(store)
  const stopping = new AbortController()
  // Every item that waits to be put back listens.
  setMaxListeners(0, stopping.signal)
  const running = new Map<ShelfItem, Promise<void>>()
  const report = options.onError ?? (() => undefined)

  const take = (max: number): Promise<readonly ShelfItem[]> =>
    shelf.take(max, registry.processId).catch((error) => {
      report(error)
      return []
    })

  async function loop(): Promise<void> {
    while (!stopping.signal.aborted) {
      const room = Math.min(options.concurrency - running.size, maxBatch)
      const items = room > 0 ? await take(room) : []
      for (const item of items) {
        const handling = { ...workshop, handler, report, isHeld: () => running.has(item), signal: stopping.signal }
        const work = handleItem(handling, item).finally(() => {
          running.delete(item)
          if (running.size === options.concurrency - 1) wakeUp.wake()
        })
        running.set(item, work)
      }
      if (items.length === 0 || items.length < room) await wakeUp.wait(pollMs, stopping.signal)
    }
  }

  const watch = watchProcesses(workshop, registry, { report, signal: stopping.signal })
  const looping = watch.started.then(loop)
  return {
    active: () => running.size,
    async stop(graceMs) {
      stopping.abort()
      await looping
      await waitFor([...running.values()], graceMs)
      const left = [...running.keys()]
      running.clear()
      for (const item of left) await shelf.putBack(item, 0).catch((error) => report(error, item))
      await watch.ended
      await registry.leave().catch(report)
    },
  }
}

interface Handling extends Workshop {
  readonly handler: QueueHandler
  readonly report: NonNullable<WorkOptions['onError']>
  /** Whether the item has not been put back meanwhile. */
  readonly isHeld: () => boolean
  /** Ends with the worker. */
  readonly signal: AbortSignal
}

async function handleItem(handling: Handling, item: ShelfItem): Promise<void> {
  const { store, shelf, handler, report, isHeld } = handling
  let isDone = false
  const complete = async (tx: typeof store.db): Promise<void> => {
    await shelf.remove(tx, item)
    store.afterCommit(tx, () => {
      isDone = true
    })
  }
  const { kind, id, lane, attempts } = item
  try {
    await handler({ kind, id, lane, attempts, complete })
    if (!isDone && isHeld()) await shelf.remove(store.db, item)
  } catch (error) {
    report(error, item)
    if (!isDone) await putBack(handling, item)
  }
}

/**
 * Puts an item back for another attempt, for as long as it takes: a process that lives is believed to work on what it has
 * taken, so nobody else would. When the worker ends it is tried once more.
 */
async function putBack({ shelf, report, isHeld, signal }: Handling, item: ShelfItem): Promise<void> {
  for (let tries = 1; isHeld(); tries++) {
    const isLast = signal.aborted
    try {
      return await shelf.putBack(item, retryMs(item.attempts))
    } catch (fault) {
      report(fault, item)
    }
    if (isLast) return
    await systemClock.sleep(Math.min(retryMs(tries), longestTryMs), signal)
  }
}

/** Waits until everything has ended, or for so long. */
async function waitFor(work: readonly Promise<void>[], graceMs: number): Promise<void> {
  const done = new AbortController()
  await Promise.race([Promise.all(work), systemClock.sleep(graceMs, done.signal)])
  done.abort()
}

/** Says once a second that this process lives, and puts back what dead ones held. */
function watchProcesses(
  { store, shelf, wakeUp }: Workshop,
  registry: ProcessRegistry,
  { report, signal }: { readonly report: (error: unknown) => void; readonly signal: AbortSignal },
): { readonly started: Promise<void>; readonly ended: Promise<void> } {
  const once = async (): Promise<void> => {
    await registry.beat()
    const found = await store.transaction(async (tx) => {
      if (!(await registry.bury(tx))) return false
      await shelf.reclaim(tx)
      return true
    })
    if (found) wakeUp.wake()
  }
  const started = once().catch(report)
  const ended = started.then(async () => {
    while (!signal.aborted) {
      await systemClock.sleep(beatMs, signal)
      if (!signal.aborted) await once().catch(report)
    }
  })
  return { started, ended }
}

/** How long a failed item waits: half a second, then twice as long each time, half a minute at most. */
function retryMs(attempts: number): number {
  return Math.min(firstRetryMs * 2 ** Math.min(attempts - 1, 10), longestRetryMs)
}
