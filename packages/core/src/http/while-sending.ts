/** A caller that sends nothing for this long is waiting for its answer. */
const pauseMs = 50

/**
 * Resolves when the rest of a request has been received, when its caller pauses, or after a limit. An early answer is
 * held that long: without keep-alive, servers close the connection after the answer, and a caller that is still sending
 * would lose it.
 *
 * @param received - Resolves when the rest has been received.
 * @param countParts - Returns how many parts have arrived.
 * @param limitMs - The time limit, in milliseconds.
 */
export function whileSending(received: Promise<unknown>, countParts: () => number, limitMs: number): Promise<void> {
  if (limitMs <= 0) return Promise.resolve()
  return new Promise((resolve) => {
    const startMs = Date.now()
    let known = countParts()
    const timer: unknown = setInterval(() => {
      const count = countParts()
      if (count === known || Date.now() - startMs >= limitMs) end()
      known = count
    }, pauseMs)
    const end = (): void => {
      clearInterval(timer as never)
      resolve()
    }
    received.then(end, end)
  })
}
