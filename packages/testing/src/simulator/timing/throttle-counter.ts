import type { JsonObject } from '@trestle/protocol'
import { countRun, type ThrottleWindow } from '@trestle/run-rules'

/** Counts the runs that pass the throttles. */
export interface ThrottleCounter {
  /**
   * @param times - When it comes, and when a window that opens now would end, milliseconds since 1970.
   * @returns What the service stores; `throttled` is whether the run is held back.
   */
  count(stepId: string, outputs: JsonObject, times: { readonly nowMs: number; readonly endMs: number }): JsonObject
}

/** Creates a counter that has seen no run. */
export function createThrottleCounter(): ThrottleCounter {
  const windows = new Map<string, ThrottleWindow>()
  return {
    count(stepId, outputs, times) {
      const key = JSON.stringify([stepId, outputs['throttleKey'] ?? null])
      const { window, result } = countRun(windows.get(key), outputs, times)
      windows.set(key, window)
      return result
    },
  }
}
