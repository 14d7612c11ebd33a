/**
 * Waits until woken, or for a duration.
 *
 * @param waiting - Callbacks that each end one wait.
 * @param ms - The maximum duration, in milliseconds.
 */
export function nap(waiting: Set<() => void>, ms: number, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve()
  return new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer)
      waiting.delete(end)
      signal.removeEventListener('abort', end)
      resolve()
    }
    const timer = setTimeout(end, ms)
    waiting.add(end)
    signal.addEventListener('abort', end, { once: true })
  })
}
