import { ApiError } from '../error/error.ts'
import { longestTimerMs } from './limits.ts'
import { onAbort } from './on-abort.ts'

/** The functions of a client that tests may replace. */
export interface Platform {
  readonly fetch: typeof globalThis.fetch
  readonly createKey: () => string
  /** Returns the time, milliseconds since 1970. */
  readonly nowMs: () => number
  /** Returns a number from 0 up to 1. */
  readonly random: () => number
  /** Waits between attempts; rejects when the signal aborts. */
  readonly sleep: (ms: number, signal: AbortSignal | undefined) => Promise<void>
  /** Calls back once after a time, and returns a function that cancels the callback. */
  readonly startTimer: (ms: number, onTimeout: () => void) => () => void
}

/** The functions of the runtime. */
export const defaultPlatform: Platform = Object.freeze<Platform>({
  fetch: (input, init) => globalThis.fetch(input, init),
  createKey: () => crypto.randomUUID(),
  nowMs: () => Date.now(),
  random: () => Math.random(),
  sleep: sleepFor,
  startTimer,
})

/**
 * Fills in the defaults of the functions and checks them.
 *
 * @throws ApiError - `RequestInvalid`: a value is not a function.
 */
export function resolvePlatform(options: { readonly [K in keyof Platform]?: Platform[K] | undefined }): Platform {
  const entries = Object.entries(defaultPlatform).map(([name, fallback]) => {
    const value: unknown = options[name as keyof Platform] ?? fallback
    if (typeof value !== 'function')
      throw new ApiError('RequestInvalid', `${name} must be a function; it is of type ${typeof value}.`)
    return [name, value]
  })
  return Object.fromEntries(entries) as Platform
}

function sleepFor(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) {
      reject(signal.reason)
      return
    }
    const forget =
      signal &&
      onAbort(signal, () => {
        stopTimer()
        reject(signal.reason)
      })
    const stopTimer = startTimer(Math.min(ms, longestTimerMs), () => {
      forget?.()
      resolve()
    })
  })
}

function startTimer(ms: number, onTimeout: () => void): () => void {
  const timer = setTimeout(onTimeout, ms)
  return () => clearTimeout(timer)
}
