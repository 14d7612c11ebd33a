/** Collects paths to refetch. */
export interface Refetcher {
  /** Schedules paths for refetching. */
  touch(paths: readonly string[]): void
  /** Stops all refetching. */
  end(): void
}

const settleMs = 150

/**
 * Creates a refetcher that works in rounds: each round waits for the previous one. If changes arrive faster than they
 * can be fetched, restarting the fetch for each change would never finish.
 *
 * @param read - Refetches everything under the given paths, and resolves when the data has arrived.
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
