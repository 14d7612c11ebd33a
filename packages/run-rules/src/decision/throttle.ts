import type { JsonObject } from '@trestle/protocol'

/** The window in which the runs for one step, recipient and key are counted. */
export interface ThrottleWindow {
  /** When it started, milliseconds since 1970. */
  readonly startMs: number
  /** When it ends, milliseconds since 1970. */
  readonly endMs: number
  /** The number of runs counted so far. */
  readonly count: number
}

/** A run that has been counted. */
export interface CountedRun {
  /** The window including the run. */
  readonly window: ThrottleWindow
  /** Whether the run is throttled. */
  readonly throttled: boolean
  /** The result of the step. */
  readonly result: JsonObject
}

/**
 * Counts a run that reaches a throttle.
 *
 * @param currentWindow - The current window, if there is one.
 * @param outputs - The output of the throttle's handler.
 * @param times - The time of the run, and the end of a window that would open now, in milliseconds since 1970.
 * @example
 * countRun(undefined, { threshold: 1 }, { nowMs: 0, endMs: 60_000 }).throttled // false
 * @source service-api.md#throttle
 */
export function countRun(
  currentWindow: ThrottleWindow | undefined,
  outputs: JsonObject,
  { nowMs, endMs }: { readonly nowMs: number; readonly endMs: number },
): CountedRun {
  const before = currentWindow && nowMs < currentWindow.endMs ? currentWindow : { startMs: nowMs, endMs, count: 0 }
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
