/** How many runs are replayed at a time. */
const concurrency = 8

/**
 * Works on items, several at a time. Reads an item only when a worker is free, so a list of any length takes little
 * memory. The first failure ends the work.
 */
export async function workOnEach<T>(items: AsyncIterable<T>, work: (item: T) => Promise<void>): Promise<void> {
  const iterator = items[Symbol.asyncIterator]()
  let isFailed = false
  const runWorker = async (): Promise<void> => {
    while (!isFailed) {
      const { done, value } = await iterator.next()
      if (done) return
      await work(value)
    }
  }
  const workers = Array.from({ length: concurrency }, () =>
    runWorker().catch((error: unknown) => {
      isFailed = true
      throw error
    }),
  )
  await Promise.all(workers)
}
