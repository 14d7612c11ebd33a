/** Collects what has to be read again. */
export interface ReadingAgain {
  /** Has paths read again soon. */
  touch(paths: readonly string[]): void
  /** Ends it: nothing is read any more. */
  end(): void
}

const settleMs = 150

/**
 * Creates what reads paths again in rounds: a round waits for the one before. Where changes come faster than they can
 * be read, reading anew with each of them would never show any.
 *
 * @param read - Reads all that begins with one of some paths, and resolves when it is there.
 */
export function createReadingAgain(read: (paths: readonly string[]) => Promise<void>): ReadingAgain {
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
