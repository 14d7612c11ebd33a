import { isOverload } from '../store/faults/is-overload.ts'

/** Options of a batching function. */
export interface BatchOptions<TRequest, TResult> {
  /**
   * Processes all requests or none.
   *
   * @returns The results, in the order of the requests.
   */
  readonly run: (requests: readonly TRequest[]) => Promise<readonly TResult[]>
  /** The maximum total weight of a batch. */
  readonly maxWeight: number
  /** Returns the weight of a request. @default 1 */
  readonly weigh?: (request: TRequest) => number
  /**
   * Returns whether a request is processed after other waiting ones; after eight batches without a low-priority
   * request, one is processed first. @default never
   */
  readonly isLowPriority?: (request: TRequest) => boolean
  /** The maximum number of concurrent batches. @default 1 */
  readonly concurrency?: number
}

const maxBatchesWithoutLow = 8

interface Waiting<TRequest, TResult> {
  readonly request: TRequest
  readonly resolve: (result: TResult) => void
  readonly reject: (error: unknown) => void
}

/**
 * Returns a function that processes requests in batches, which reduces the cost under load. Requests made while a batch
 * is running are collected for the next one. If a batch fails, its requests are run one by one, so that one does not
 * make the others fail. If the database is unavailable, all requests of the batch fail.
 */
export function createBatches<TRequest, TResult>(
  options: BatchOptions<TRequest, TResult>,
): (request: TRequest) => Promise<TResult> {
  const { run, maxWeight, weigh = () => 1, isLowPriority = () => false, concurrency = 1 } = options
  let waiting: Waiting<TRequest, TResult>[] = []
  let running = 0
  let batchesWithoutLow = 0

  async function answerOne({ request, resolve, reject }: Waiting<TRequest, TResult>): Promise<void> {
    await run([request]).then(([result]) => resolve(result as TResult), reject)
  }

  async function answer(batch: readonly Waiting<TRequest, TResult>[]): Promise<void> {
    const [first, ...others] = batch
    if (first && others.length === 0) return answerOne(first)
    try {
      const results = await run(batch.map(({ request }) => request))
      for (const [index, { resolve }] of batch.entries()) resolve(results[index] as TResult)
    } catch (error) {
      // If the connection was lost, the batch may have been stored. Running its requests again could repeat their
      // effects.
      if (isOverload(error)) for (const { reject } of batch) reject(error)
      else for (const one of batch) await answerOne(one)
    }
  }

  /** Removes the next batch from the waiting requests. It contains at least one request. */
  function take(): readonly Waiting<TRequest, TResult>[] {
    waiting.sort((left, right) => Number(isLowPriority(left.request)) - Number(isLowPriority(right.request)))
    const low = waiting.findIndex(({ request }) => isLowPriority(request))
    if (low > 0 && batchesWithoutLow >= maxBatchesWithoutLow) waiting.unshift(...waiting.splice(low, 1))
    let count = 0
    const end = waiting.findIndex(({ request }) => {
      count += weigh(request)
      return count > maxWeight
    })
    const batch = end === -1 ? waiting : waiting.slice(0, Math.max(1, end))
    waiting = waiting.slice(batch.length)
    const isPassedOver = low !== -1 && !batch.some(({ request }) => isLowPriority(request))
    batchesWithoutLow = isPassedOver ? batchesWithoutLow + 1 : 0
    return batch
  }

  async function answerAll(): Promise<void> {
    // Requests in the same turn of the event loop share a batch.
    await new Promise(setImmediate)
    while (waiting.length > 0) await answer(take())
    running--
  }

  return (request) =>
    new Promise((resolve, reject) => {
      waiting.push({ request, resolve, reject })
      if (running >= concurrency) return
      running++
      void answerAll()
    })
}
