import type { JsonObject } from '@trestle/protocol'

/** The window in which the runs of one step, recipient and key are counted. */
export interface ThrottleWindow {
  /** When it began, milliseconds since 1970. */
  readonly startMs: number
  /** When it ends, milliseconds since 1970. */
  readonly endMs: number
  /** How many runs it has seen. */
  readonly count: number
}

/** A run that has been counted. */
export interface CountedRun {
  /** The window with the run. */
  readonly window: ThrottleWindow
  /** Whether the run is held back. */
  readonly throttled: boolean
  /** The result that the step leaves behind. */
  readonly result: JsonObject
}

/**
 * Counts a run that reaches a throttle.
 *
 * @param known - The window so far, if there is one.
 * @param outputs - What the throttle's handler returned.
 * @param times - When the run comes, and when a window that opens now would end; milliseconds since 1970.
 * @example
 * countRun(undefined, { threshold: 1 }, { nowMs: 0, endMs: 60_000 }).throttled // false
 * @source service-api.md#throttle
 */
export function countRun(
  known: ThrottleWindow | undefined,
  outputs: JsonObject,
  { nowMs, endMs }: { readonly nowMs: number; readonly endMs: number },
): CountedRun {
  const before = known && nowMs < known.endMs ? known : { startMs: nowMs, endMs, count: 0 }
  const window = { ...before, count: before.count + 1 }
  const { threshold: given } = outputs
  const threshold = typeof given === 'number' && Number.isFinite(given) ? given : 1
  const throttled = window.count > threshold
  const result = {
    throttled,
    executionCount: window.count,
    threshold,
    windowStart: new Date(window.startMs).toISOString(),
    ...(throttled && { throttledUntil: new Date(window.endMs).toISOString() }),
  }
  return { window, throttled, result }
}
