/** Counts the open streams of each owner, such as an environment or a subscriber. */
export interface StreamCounts {
  /** Returns the number of open streams. */
  read(ownerId: string): number
  /**
   * Counts a stream as open, until its signal aborts.
   *
   * @param signal - Aborts when the stream has ended for any reason, even if it was never read.
   */
  add(ownerId: string, signal: AbortSignal): void
}

/** Creates counts that start at zero. */
export function createStreamCounts(): StreamCounts {
  const counts = new Map<string, number>()
  const read = (ownerId: string): number => counts.get(ownerId) ?? 0
  return {
    read,
    add(ownerId, signal) {
      if (signal.aborted) return
      counts.set(ownerId, read(ownerId) + 1)
      const subtract = (): void => {
        if (read(ownerId) > 1) counts.set(ownerId, read(ownerId) - 1)
        else counts.delete(ownerId)
      }
      signal.addEventListener('abort', subtract, { once: true })
    },
  }
}
