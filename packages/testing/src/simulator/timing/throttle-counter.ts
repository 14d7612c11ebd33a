import type { JsonObject } from '@trestle/protocol'

interface Window {
  readonly startMs: number
  readonly endMs: number
  count: number
}

/** Counts the runs that pass the throttles. */
export interface ThrottleCounter {
  /**
   * Counts a run.
   *
   * @param stepId - The step.
   * @param outputs - What its handler returned.
   * @param window - When it comes, and when a window that opens now would end, milliseconds since 1970.
   * @returns What the service stores; `throttled` is whether the run is held back.
   */
  count(stepId: string, outputs: JsonObject, window: { readonly nowMs: number; readonly endMs: number }): JsonObject
}

/** Creates a counter that has seen no run. */
export function createThrottleCounter(): ThrottleCounter {
  const windows = new Map<string, Window>()
  return {
    count(stepId, { throttleKey, threshold = 1 }, { nowMs, endMs }) {
      const key = JSON.stringify([stepId, throttleKey ?? null])
      const known = windows.get(key)
      const window = known && nowMs < known.endMs ? known : { startMs: nowMs, endMs, count: 0 }
      windows.set(key, window)
      window.count++
      return {
        throttled: window.count > Number(threshold),
        executionCount: window.count,
        threshold: Number(threshold),
        windowStart: new Date(window.startMs).toISOString(),
      }
    },
  }
}
