import { environmentOf } from './lane-name.ts'
import type { Priority } from './queue.ts'

/** Limits of concurrent work. */
export interface SlotOptions {
  /** The maximum for all lanes of one environment. */
  readonly perEnvironment: number
  /** The maximum for all lanes together. */
  readonly total: number
  /** The maximum of bulk work in all lanes together while there is other work. */
  readonly bulkBesideOthers: number
  /** The current time, in milliseconds. */
  readonly nowMs: () => number
}

/** Slots for concurrent work of many lanes. */
export interface Slots {
  /**
   * Takes a slot.
   *
   * @returns A function that frees it, to be called once; `undefined` if a limit is reached.
   */
  take(lane: string, priority: Priority | undefined): (() => void) | undefined
  /**
   * Reports work that bulk work must not delay. Such work counts for a moment, so it is reported again whenever it
   * continues after a wait.
   */
  note(priority: Priority | undefined): void
}

/** How long other work counts after it was reported, in milliseconds. Covers the calls of a fast bridge. */
const othersMs = 50
/** How long bulk work counts, in milliseconds. After that, it only waits for a slow bridge. */
const bulkMs = 100

/**
 * Creates the slots. There are few for bulk work while there is other work, because this process would spend most of
 * its time on bulk work, and all other work would wait for it at each of its steps.
 *
 * @param onFree - Called when bulk work may start again although no slot was freed.
 */
export function createSlots(
  { perEnvironment, total, bulkBesideOthers, nowMs }: SlotOptions,
  onFree: () => void,
): Slots {
  const taken = new Set<{ readonly environment: string; readonly isBulk: boolean; readonly atMs: number }>()
  const environments = new Map<string, number>()
  let othersAtMs = Number.NEGATIVE_INFINITY
  let willReport = false

  // If the clock was set back, no time counts as recent for long.
  const isWithin = (ms: number, sinceMs: number): boolean => Math.abs(nowMs() - sinceMs) < ms

  function isBulkLimited(): boolean {
    if (!isWithin(othersMs, othersAtMs)) return false
    return [...taken].filter(({ isBulk, atMs }) => isBulk && isWithin(bulkMs, atMs)).length >= bulkBesideOthers
  }

  function reportLater(): void {
    if (willReport) return
    willReport = true
    setTimeout(() => {
      willReport = false
      onFree()
    }, bulkMs).unref()
  }

  return {
    take(lane, priority) {
      const environment = environmentOf(lane)
      const ofEnvironment = environments.get(environment) ?? 0
      if (taken.size >= total || ofEnvironment >= perEnvironment) return undefined
      const isBulk = priority === 'bulk'
      if (isBulk && isBulkLimited()) {
        reportLater()
        return undefined
      }
      const slot = { environment, isBulk, atMs: nowMs() }
      taken.add(slot)
      environments.set(environment, ofEnvironment + 1)
      return () => {
        taken.delete(slot)
        const remaining = (environments.get(environment) ?? 0) - 1
        if (remaining === 0) environments.delete(environment)
        else environments.set(environment, remaining)
      }
    },
    note(priority) {
      if (priority !== 'bulk') othersAtMs = nowMs()
    },
  }
}
