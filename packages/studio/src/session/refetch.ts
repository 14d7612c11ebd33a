/** Collects paths to refetch. */
export interface Refetcher {
  /** Refetches paths soon. */
  touch(paths: readonly string[]): void
  /** Stops; nothing is refetched any more. */
  end(): void
}

const settleMs = 150

/**
 * Creates a refetcher that works in rounds: each round waits for the previous one. If changes arrive faster than they
 * can be fetched, restarting the fetch each time would never finish.
 *
 * @param read - Refetches everything below some paths, and resolves when it has arrived.
 */
export function createRefetcher(read: (paths: readonly string[]) => Promise<void>): Refetcher {
  const touched = new Set<string>()
  let timer: ReturnType<typeof setTimeout> | undefined
  let isReading = false
  let hasEnded = false
  const plan = (): void => {
    if (!isReading && !hasEnded && touched.size > 0) timer ??= setTimeout(() => void run(), settleMs)
  }
  const run = async (): Promise<void> => {
    timer = undefined
    isReading = true
    const paths = [...touched]
    touched.clear()
    try {
      await read(paths)
    } finally {
      isReading = false
      plan()
    }
  }
  return {
    touch(paths) {
      for (const path of paths) touched.add(path)
      plan()
    },
    end() {
      hasEnded = true
      clearTimeout(timer)
    },
  }
}
