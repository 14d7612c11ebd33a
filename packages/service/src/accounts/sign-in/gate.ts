import { ApiError } from '../../api/api-error.ts'

/** Runs work with limited concurrency. */
export interface Gate {
  /**
   * Runs work when it is its turn.
   *
   * @throws {ApiError} 503 if too many are waiting.
   */
  run<T>(work: () => Promise<T>): Promise<T>
}

/**
 * Creates a gate.
 *
 * @param limits - The maximum number of concurrent and of waiting tasks.
 */
export function createGate({ atOnce, waiting }: { readonly atOnce: number; readonly waiting: number }): Gate {
  const queue: (() => void)[] = []
  let running = 0
  return {
    async run(work) {
      if (running < atOnce) running += 1
      else if (queue.length >= waiting)
        throw new ApiError(503, 'Too many people are signing in at the moment. Try again in a few seconds.')
      // When work finishes, its slot passes to the first in the queue, so nothing overtakes it.
      else await new Promise<void>((resolve) => queue.push(resolve))
      try {
        return await work()
      } finally {
        const next = queue.shift()
        if (next) next()
        else running -= 1
      }
    },
  }
}
