import type { VirtualClock } from '../context/virtual-clock.ts'

type Wait = [ms?: number, value?: unknown, options?: { readonly signal?: AbortSignal }]

/** The functions of `node:timers/promises`, driven by a virtual clock. */
export const virtualTimerPromises: {
  /** Waits, and returns a value. */
  setTimeout(clock: VirtualClock, ...wait: Wait): Promise<unknown>
  /** Returns a value at regular intervals. */
  setInterval(clock: VirtualClock, ...wait: Wait): AsyncGenerator<unknown>
} = {
  setTimeout: (clock, ...[ms = 1, value, { signal } = {}]) =>
    new Promise((resolve, reject) => {
      const fail = (): void => reject(aborted(signal))
      if (signal?.aborted) return fail()
      const timer = clock.set(
        () => {
          signal?.removeEventListener('abort', onAbort)
          resolve(value)
        },
        Math.max(0, Math.trunc(Number(ms) || 0)),
      )
      const onAbort = (): void => {
        clock.clear(timer)
        fail()
      }
      signal?.addEventListener('abort', onAbort, { once: true })
    }),
  async *setInterval(clock, ...[ms = 1, value, options]) {
    for (;;) {
      await virtualTimerPromises.setTimeout(clock, Math.max(1, ms), undefined, options)
      yield value
    }
  },
}

function aborted(signal: AbortSignal | undefined): Error {
  const error = new Error('The operation was aborted', { cause: signal?.reason })
  return Object.assign(error, { name: 'AbortError', code: 'ABORT_ERR' })
}
