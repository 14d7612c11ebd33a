import { isOverload } from '../store/faults/is-overload.ts'

/** How requests are put together. */
export interface BatchOptions<TRequest, TResult> {
  /**
   * Answers requests, all of them or none.
   *
   * @returns Their results, in order.
   */
  readonly run: (requests: readonly TRequest[]) => Promise<readonly TResult[]>
  /** The most of them at a time, by what each counts. */
  readonly most: number
  /** What a request counts. @default 1 */
  readonly weigh?: (request: TRequest) => number
  /** Whether a request is answered after all others that wait. @default none is */
  readonly isLater?: (request: TRequest) => boolean
  /** How many batches run at a time. @default 1 */
  readonly atOnce?: number
}

interface Waiting<TRequest, TResult> {
  readonly request: TRequest
  readonly resolve: (result: TResult) => void
  readonly reject: (error: unknown) => void
}

/**
 * Returns a function that answers requests together that come while others are being answered: under load that costs less than
 * one by one. Each batch starts after its requests were made. One that fails does not fail the others; if the database is
 * away, all of a batch fail.
 *
 * @param options - How they are put together.
 */
export function createBatches<TRequest, TResult>(
  options: BatchOptions<TRequest, TResult>,
): (request: TRequest) => Promise<TResult> {
  const { run, most, weigh = () => 1, isLater = () => false, atOnce = 1 } = options
  let waiting: Waiting<TRequest, TResult>[] = []
  let running = 0

  async function answerOne({ request, resolve, reject }: Waiting<TRequest, TResult>): Promise<void> {
    await run([request]).then(([result]) => resolve(result as TResult), reject)
  }

  async function answer(some: readonly Waiting<TRequest, TResult>[]): Promise<void> {
    const [first, ...others] = some
    if (first && others.length === 0) return answerOne(first)
    try {
      const results = await run(some.map(({ request }) => request))
      for (const [index, { resolve }] of some.entries()) resolve(results[index] as TResult)
    } catch (error) {
      // After a lost connection the batch may have been stored. Running its requests again could do the work twice.
      if (isOverload(error)) for (const { reject } of some) reject(error)
      else for (const one of some) await answerOne(one)
    }
  }

  /** The first ones, as many as fit, one at least. */
  function take(): readonly Waiting<TRequest, TResult>[] {
    waiting.sort((left, right) => Number(isLater(left.request)) - Number(isLater(right.request)))
    let count = 0
    const end = waiting.findIndex(({ request }) => {
      count += weigh(request)
      return count > most
    })
    const some = end === -1 ? waiting : waiting.slice(0, Math.max(1, end))
    waiting = waiting.slice(some.length)
    return some
  }

  async function answerAll(): Promise<void> {
    // Those that come in the same turn of the event loop belong together.
    await new Promise(setImmediate)
    while (waiting.length > 0) await answer(take())
    running--
  }

  return (request) =>
    new Promise((resolve, reject) => {
      waiting.push({ request, resolve, reject })
      if (running >= atOnce) return
      running++
      void answerAll()
    })
}
