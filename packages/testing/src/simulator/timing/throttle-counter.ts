import type { JsonObject } from '@trestle/protocol'
import { countRun, type ThrottleWindow } from '@trestle/run-rules'

/** Counts the runs that pass the throttles. */
export interface ThrottleCounter {
  /**
   * @param times - Its time, and the end of a window that opens now, milliseconds since 1970.
   * @returns The result to store; `throttled` indicates whether the run is throttled.
   */
  count(stepId: string, outputs: JsonObject, times: { readonly nowMs: number; readonly endMs: number }): JsonObject
}

/** Creates a counter that has counted no runs. */
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
