/** A span of time that work is begun in. */
export interface TimeBudget {
  /** Returns whether there is time for more; asked only where there is more to do. */
  hasTime(): boolean
  /** Returns whether more was to be done than there was time for. */
  wasLate(): boolean
}

/**
 * Creates a budget that begins now.
 *
 * @param limitMs - How long it lasts.
 */
export function createTimeBudget(limitMs: number): TimeBudget {
  const untilMs = performance.now() + limitMs
  let isLate = false
  return {
    hasTime() {
      isLate ||= performance.now() > untilMs
      return !isLate
    },
    wasLate: () => isLate,
  }
}
