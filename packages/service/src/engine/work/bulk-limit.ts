/** The bulk work in progress, and the other work that it must not delay. */
export interface BulkLimit {
  /** Reports other work. */
  noteOthers(): void
  /** Returns whether no bulk work may start now. */
  isReached(): boolean
  /** Counts bulk work, and returns a function that ends it. */
  start(): () => void
}

/** How long other work counts after it was reported, in milliseconds. Covers the calls of a fast bridge. */
const othersMs = 50
/** How long bulk work counts, in milliseconds. After that, it only waits for a slow bridge. */
export const bulkMs = 100

/**
 * Limits bulk work while there is other work, because this process would spend most of its time on bulk work, and all
 * other work would wait for it at each of its steps.
 *
 * @param limit - The maximum of bulk work, and the current time in milliseconds.
 */
export function createBulkLimit({ max, nowMs }: { readonly max: number; readonly nowMs: () => number }): BulkLimit {
  const started = new Set<{ readonly atMs: number }>()
  let othersAtMs = Number.NEGATIVE_INFINITY
  const isWithin = (ms: number, sinceMs: number): boolean => Math.abs(nowMs() - sinceMs) < ms
  return {
    noteOthers(): void {
      othersAtMs = nowMs()
    },
    isReached: (): boolean =>
      isWithin(othersMs, othersAtMs) && [...started].filter(({ atMs }) => isWithin(bulkMs, atMs)).length >= max,
    start(): () => void {
      const work = { atMs: nowMs() }
      started.add(work)
      return () => void started.delete(work)
    },
  }
}
