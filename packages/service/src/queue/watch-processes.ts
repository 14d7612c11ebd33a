import { systemClock } from '../clock/clock.ts'
import type { Store } from '../store/store.ts'
import type { DeadProcess, ProcessRegistry } from './process-registry.ts'
import type { QueueDriver } from './queue-driver.ts'
import type { WakeUp } from './wake-up.ts'

const beatMs = 1_000
/** The clock of a database that is its own cannot be watched from here. */
const betweenRealignsMs = 60_000

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
  const isSetBack = createClockWatch()
  const beat = async (): Promise<void> => {
    if (await registry.beat()) report(new Error('Other processes took this one for dead, and what it worked on.'))
  }
  const look = async (): Promise<void> => {
    const isRealigned = isSetBack()
    const silent = await registry.look()
    if (silent.length === 0 && !isRealigned) return
    const { dead, items } = await store.transaction(async (tx) => {
      if (isRealigned) await driver.realign(tx)
      const found = await registry.bury(tx, silent)
      return { dead: found, items: found.length > 0 ? await driver.reclaim(tx) : 0 }
    })
    if (dead.length > 0) onTakeover?.(dead, items)
    if (dead.length > 0 || isRealigned) wakeUp.wake()
  }
  /** Each on its own: signs of life do not wait until the work of dead processes is taken over. */
  const repeat = async (work: () => Promise<void>): Promise<void> => {
    while (!signal.aborted) {
      await systemClock.sleep(beatMs, signal)
      if (!signal.aborted) await work().catch(report)
    }
  }
  const started = beat().then(look).catch(report)
  const ended = started.then(() => Promise.all([repeat(beat), repeat(look)])).then(() => undefined)
  return { started, ended }
}

/** Returns a function that says whether the time may have been set back since it last said so; at first it does. */
function createClockWatch(): () => boolean {
  let offsetMs = Number.POSITIVE_INFINITY
  let nextMs = 0
  return () => {
    const before = offsetMs
    offsetMs = Date.now() - performance.now()
    if (offsetMs > before - beatMs && performance.now() < nextMs) return false
    nextMs = performance.now() + betweenRealignsMs
    return true
  }
}
