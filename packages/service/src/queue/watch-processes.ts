import { systemClock } from '../clock/clock.ts'
import type { Store } from '../store/store.ts'
import type { DeadProcess, ProcessRegistry } from './process-registry.ts'
import type { QueueDriver } from './queue-driver.ts'
import type { WakeUp } from './wake-up.ts'

const heartbeatIntervalMs = 1_000
/** The clock of a database that is its own cannot be watched from here. */
const realignIntervalMs = 60_000

/** Receives processes that were found dead, with how many of their items were taken over. */
export type OnTakeover = (dead: readonly DeadProcess[], items: number) => void

/** The queue that is watched over. */
export interface WatchedQueue {
  /** The database. */
  readonly store: Pick<Store, 'transaction'>
  /** The queue's driver. */
  readonly driver: Pick<QueueDriver, 'reclaim' | 'realign'>
  /** Called when there is work again. */
  readonly wakeUp: Pick<WakeUp, 'wake'>
  /** Receives processes that were found dead. */
  readonly onTakeover?: OnTakeover | undefined
}

/** Who hears of errors, and what ends the watch. */
export interface WatchOptions {
  /** Receives failures to reach the database. */
  readonly report: (error: unknown) => void
  /** Ends the watch. */
  readonly signal: AbortSignal
}

/**
 * Says once a second that this process lives, puts back what dead ones held, and sees to it that work is not held up where
 * the time was set back.
 *
 * @param queue - The queue.
 * @param registry - Who lives.
 * @param options - Who hears of errors, and what ends the watch.
 * @returns When the first look and when the last is over.
 */
export function watchProcesses(
  { store, driver, wakeUp, onTakeover }: WatchedQueue,
  registry: ProcessRegistry,
  { report, signal }: WatchOptions,
): { readonly started: Promise<void>; readonly ended: Promise<void> } {
  const wasClockSetBack = createClockWatch()
  const sendHeartbeat = async (): Promise<void> => {
    if (await registry.heartbeat()) report(new Error('Other processes took this one for dead, and what it worked on.'))
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
  /** Each on its own: signs of life do not wait until the work of dead processes is taken over. */
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

/** Returns a function that says whether the time may have been set back since it last said so; at first it does. */
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
