const checkEveryMs = 50

/** How long to wait for a caller that is still sending. Checks are 50 ms apart. */
export interface SendingLimits {
  /** After this number of checks without a new part, the caller counts as waiting for its response. */
  readonly idleChecks: number
  /** After this number of checks the wait ends, even if the caller is still sending. */
  readonly mostChecks: number
}

/**
 * Resolves when the rest of a request has been received, when its caller pauses, or at a limit. Without keep-alive,
 * servers close the connection after an early response, and a caller that is still sending would lose it.
 *
 * Checks are counted instead of measuring the time: while the process is busy, parts wait unread.
 *
 * @param received - Resolves when the rest has been received.
 * @param countParts - Returns how many parts have arrived.
 * @example
 * await whileSending(received, () => parts, { idleChecks: 20, mostChecks: 600 })
 */
export function whileSending(
  received: Promise<unknown>,
  countParts: () => number,
  { idleChecks, mostChecks }: SendingLimits,
): Promise<void> {
  if (mostChecks <= 0) return Promise.resolve()
  return new Promise((resolve) => {
    let [lastCount, idle, checks] = [countParts(), 0, 0]
    const timer: unknown = setInterval(() => {
      const count = countParts()
      idle = count === lastCount ? idle + 1 : 0
      lastCount = count
      if (idle >= idleChecks || ++checks >= mostChecks) end()
    }, checkEveryMs)
    const end = (): void => {
      clearInterval(timer as never)
      resolve()
    }
    received.then(end, end)
  })
}

/**
 * Returns the number of checks in a time, in milliseconds.
 *
 * @example
 * toChecks(1000) // 20
 */
export const toChecks = (ms: number): number => Math.ceil(ms / checkEveryMs)
