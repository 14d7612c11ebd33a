import { systemClock } from '../clock/clock.ts'
import type { Store } from '../store/store.ts'
import type { DeadProcess, ProcessRegistry } from './process-registry.ts'
import type { QueueDriver } from './queue-driver.ts'
import type { WakeUp } from './wake-up.ts'

const heartbeatIntervalMs = 1_000
/** Changes to the clock of a database server cannot be detected from here. */
const realignIntervalMs = 60_000

/** Receives processes that were found dead, and the number of their items that were requeued. */
export type OnTakeover = (dead: readonly DeadProcess[], items: number) => void

/** Dependencies for watching processes. */
export interface WatchedQueue {
  readonly store: Pick<Store, 'transaction'>
  readonly driver: Pick<QueueDriver, 'reclaim' | 'realign'>
  /** Called when there is work again. */
  readonly wakeUp: Pick<WakeUp, 'wake'>
  /** Receives processes that were found dead. */
  readonly onTakeover?: OnTakeover | undefined
}

/** Options for watching processes. */
export interface WatchOptions {
  /** Receives failures to reach the database. */
  readonly report: (error: unknown) => void
  /** Ends the watch. */
  readonly signal: AbortSignal
}

/**
 * Sends a heartbeat once a second, requeues the items of dead processes, and corrects due times if the clock was set
 * back.
 *
 * @param queue - The queue.
 * @param registry - The registered processes.
 * @param options - The error handler, and the signal that ends the watch.
 * @returns Promises that resolve after the first check and after the last check.
 */
export function watchProcesses(
  { store, driver, wakeUp, onTakeover }: WatchedQueue,
  registry: ProcessRegistry,
  { report, signal }: WatchOptions,
): { readonly started: Promise<void>; readonly ended: Promise<void> } {
  const wasClockSetBack = createClockWatch()
  const sendHeartbeat = async (): Promise<void> => {
    if (await registry.heartbeat()) report(new Error('Other processes declared this one dead and requeued its work.'))
  }
  const takeOverDead = async (): Promise<void> => {
    const isClockSetBack = wasClockSetBack()
    const silent = await registry.findDead()
    if (silent.length === 0 && !isClockSetBack) return
    const { dead, items } = await store.transaction(async (tx) => {
      if (isClockSetBack) await driver.realign(tx)
      const removed = await registry.removeDead(tx, silent)
      return { dead: removed, items: removed.length > 0 ? await driver.reclaim(tx) : 0 }
    })
    if (dead.length > 0) onTakeover?.(dead, items)
    if (dead.length > 0 || isClockSetBack) wakeUp.wake()
  }
  /** Runs separately, so that heartbeats do not wait until the work of dead processes is requeued. */
  const repeat = async (work: () => Promise<void>): Promise<void> => {
    while (!signal.aborted) {
      await systemClock.sleep(heartbeatIntervalMs, signal)
      if (!signal.aborted) await work().catch(report)
    }
  }
  const started = sendHeartbeat().then(takeOverDead).catch(report)
  const ended = started.then(() => Promise.all([repeat(sendHeartbeat), repeat(takeOverDead)])).then(() => undefined)
  return { started, ended }
}

/**
 * Returns a function that reports whether the clock may have been set back since the last call. The first call returns
 * true.
 */
function createClockWatch(): () => boolean {
  let offsetMs = Number.POSITIVE_INFINITY
  let nextMs = 0
  return () => {
    const before = offsetMs
    offsetMs = Date.now() - performance.now()
    if (offsetMs > before - heartbeatIntervalMs && performance.now() < nextMs) return false
    nextMs = performance.now() + realignIntervalMs
    return true
  }
}
