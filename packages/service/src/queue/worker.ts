import { setMaxListeners } from 'node:events'
import { systemClock } from '../clock/clock.ts'
import type { Store } from '../store/store.ts'
import { createProcessRegistry, type ProcessRegistry } from './process-registry.ts'
import type { QueueHandler, QueueWorker, WorkOptions } from './queue.ts'
import type { HeldItem, QueueDriver } from './queue-driver.ts'
import type { WakeUp } from './wake-up.ts'
import { type OnTakeover, watchProcesses } from './watch-processes.ts'

const minRetryMs = 500
const maxRetryMs = 30_000
const maxRequeueRetryMs = 2_000
/**
 * After a failed attempt to take items, the database may still commit it. This is how long and how often to check for
 * such items.
 */
const lostReplyMs = 30_000
const releaseIntervalMs = 1_000
const maxBatch = 64

/** Dependencies of a worker. */
export interface WorkerPorts {
  readonly store: Store
  readonly driver: QueueDriver
  readonly wakeUp: WakeUp
  /** The maximum wait between checks, in milliseconds. */
  readonly pollMs: number
  /** Receives processes that were found dead. */
  readonly onTakeover?: OnTakeover | undefined
}

/**
 * Starts a worker that takes items and passes them to the handler.
 *
 * @param options - The maximum number of concurrent items, and the error handler.
 */
export function startWorker(ports: WorkerPorts, handler: QueueHandler, options: WorkOptions): QueueWorker {
  const { store, driver, wakeUp, pollMs } = ports
  const registry = createProcessRegistry(store)
  const stopping = new AbortController()
  // Every item that waits to be requeued adds a listener.
  setMaxListeners(0, stopping.signal)
  const running = new Map<HeldItem, Promise<void>>()
  const report = options.onError ?? (() => undefined)

  const take = createTake({ driver, registry, report, heldItems: () => [...running.keys()] })

  async function loop(): Promise<void> {
    while (!stopping.signal.aborted) {
      const capacity = Math.min(options.concurrency - running.size, maxBatch)
      const items = capacity > 0 ? await take(capacity) : []
      for (const item of items) {
        const handling = { ...ports, handler, report, isHeld: () => running.has(item), signal: stopping.signal }
        const work = handleItem(handling, item).finally(() => {
          running.delete(item)
          if (running.size === options.concurrency - 1) wakeUp.wake()
        })
        running.set(item, work)
      }
      if (items.length === 0 || items.length < capacity) await wakeUp.wait(pollMs, stopping.signal)
    }
  }

  const watch = watchProcesses(ports, registry, { report, signal: stopping.signal })
  const loopEnded = watch.started.then(loop)
  return {
    active: () => running.size,
    async stop(graceMs) {
      stopping.abort()
      await loopEnded
      await waitFor([...running.values()], graceMs)
      const unfinished = [...running.keys()]
      running.clear()
      for (const item of unfinished) await driver.requeue(item, 0).catch((error) => report(error, item))
      await watch.ended
      await registry.unregister().catch(report)
    },
  }
}

interface TakeOptions {
  readonly driver: QueueDriver
  readonly registry: Pick<ProcessRegistry, 'processId'>
  readonly report: NonNullable<WorkOptions['onError']>
  /** Returns the items that are in progress. */
  readonly heldItems: () => readonly HeldItem[]
}

/** Returns a function that takes items and never rejects. */
function createTake({ driver, registry: { processId }, report, heldItems }: TakeOptions) {
  let releaseUntilMs = 0
  let nextReleaseMs = 0

  /** Without this, items that were taken without this process knowing would stay taken until it ends. */
  async function release(): Promise<void> {
    const nowMs = performance.now()
    if (nowMs > releaseUntilMs || nowMs < nextReleaseMs) return
    nextReleaseMs = nowMs + releaseIntervalMs
    await driver.release(processId, heldItems())
  }

  return async (max: number): Promise<readonly HeldItem[]> => {
    try {
      await release()
      return await driver.take(max, processId)
    } catch (error) {
      releaseUntilMs = performance.now() + lostReplyMs
      report(error)
      return []
    }
  }
}

interface Handling extends WorkerPorts {
  readonly handler: QueueHandler
  readonly report: NonNullable<WorkOptions['onError']>
  /** Whether the item has not been requeued in the meantime. */
  readonly isHeld: () => boolean
  /** Aborts when the worker stops. */
  readonly signal: AbortSignal
}

async function handleItem(handling: Handling, item: HeldItem): Promise<void> {
  const { store, driver, handler, report, isHeld } = handling
  let isDone = false
  const complete = async (tx: typeof store.db): Promise<void> => {
    await driver.remove(tx, item)
    store.afterCommit(tx, () => {
      isDone = true
    })
  }
  const { kind, id, lane, priority, attempts } = item
  try {
    await handler({ kind, id, lane, ...(priority && { priority }), attempts, complete })
    if (!isDone && isHeld()) await driver.remove(store.db, item)
  } catch (error) {
    report(error, item)
    if (!isDone) await requeue(handling, item)
  }
}

/**
 * Requeues an item for another attempt, and retries until this succeeds, because other processes do not touch the items
 * of a live process. When the worker stops, it tries one last time.
 */
async function requeue({ driver, report, isHeld, signal }: Handling, item: HeldItem): Promise<void> {
  for (let attempt = 1; isHeld(); attempt++) {
    const isLast = signal.aborted
    try {
      return await driver.requeue(item, retryMs(item.attempts))
    } catch (fault) {
      report(fault, item)
    }
    if (isLast) return
    await systemClock.sleep(Math.min(retryMs(attempt), maxRequeueRetryMs), signal)
  }
}

/** Waits until all work has ended, at most `graceMs` milliseconds. */
async function waitFor(work: readonly Promise<void>[], graceMs: number): Promise<void> {
  const done = new AbortController()
  await Promise.race([Promise.all(work), systemClock.sleep(graceMs, done.signal)])
  done.abort()
}

/** Returns the delay of a failed item: half a second, doubled with each attempt, up to half a minute. */
function retryMs(attempts: number): number {
  return Math.min(minRetryMs * 2 ** Math.min(attempts - 1, 10), maxRetryMs)
}
