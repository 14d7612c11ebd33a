import { fileURLToPath } from 'node:url'
import { Worker } from 'node:worker_threads'
import { processorMs } from './processor-ms.ts'
import type { FromProcess, ToProcess, WorkMessage } from './worker-process.ts'

/** Asks the process that started the work, and resolves to its answer. */
export type Ask = (question: unknown) => Promise<unknown>

interface Question {
  readonly resolve: (answer: unknown) => void
  readonly reject: (error: Error) => void
}

/**
 * Does the work of a pool in this process, one item at a time. The process ends with the one that started it, even
 * during endless work.
 *
 * @param work - Receives the input and returns the output; an error is reported with its stack.
 *
 * @example
 * serveWork(async (template) => render(String(template)))
 */
export function serveWork(work: (input: unknown, ask: Ask) => unknown): void {
  const open = new Map<number, Question>()
  let count = 0
  // The id of the current work, and the processor time at which it exceeds its limit; 0 without work.
  const current = new BigInt64Array(new SharedArrayBuffer(16))
  new Worker(fileURLToPath(new URL('./guard.js', import.meta.url)), { workerData: current }).unref()
  const ask: Ask = (question) =>
    new Promise((resolve, reject) => {
      const id = count++
      open.set(id, { resolve, reject })
      tell({ question, id })
    })
  process.on('message', (message: ToProcess) => {
    if ('input' in message) void run(message)
    else settle(message)
  })

  async function run({ id, input, maxProcessorMs }: WorkMessage): Promise<void> {
    open.clear()
    Atomics.store(current, 0, BigInt(id))
    Atomics.store(current, 1, BigInt(processorMs() + maxProcessorMs))
    tell('started')
    try {
      tell({ output: await work(input, ask) })
    } catch (error) {
      tell({ fault: String(error instanceof Error ? (error.stack ?? error.message) : error) })
    } finally {
      Atomics.store(current, 1, 0n)
    }
  }

  function settle(message: Exclude<ToProcess, WorkMessage>): void {
    const question = open.get(message.id)
    open.delete(message.id)
    if ('answer' in message) question?.resolve(message.answer)
    else question?.reject(Object.assign(new Error(message.fault), { code: message.code }))
  }
}

function tell(message: FromProcess): void {
  process.send?.(message)
}
