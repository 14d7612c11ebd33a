/**
 * Waits until woken, at most so long.
 *
 * @param waiting - The ends of all waits at one place; whoever calls one ends that wait.
 * @param ms - How long, in milliseconds.
 * @param signal - Ends it, too.
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
