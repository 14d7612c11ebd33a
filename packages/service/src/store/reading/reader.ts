import { Worker } from 'node:worker_threads'
import type { ReadAnswer, ReadQuery } from './read-query.ts'

/** With two, a read that takes long does not hold up the others. */
const maxThreads = 2

/** Reads the embedded database beside the thread that answers requests. */
export interface Reader {
  /**
   * Returns the rows of a query.
   *
   * @throws What the database throws, with its code.
   */
  read(sql: string, parameters: readonly unknown[]): Promise<readonly unknown[]>
  /** Ends the threads; queries that still run are rejected. */
  close(): Promise<void>
}

interface Pending {
  readonly resolve: (rows: readonly unknown[]) => void
  readonly reject: (error: Error) => void
}

interface Thread {
  readonly worker: Worker
  readonly pending: Map<number, Pending>
}

/**
 * Creates a reader; its threads start when they are needed.
 *
 * @param file - The path of the database, which must be there at the first read.
 */
export function createReader(file: string): Reader {
  const threads = new Set<Thread>()
  let lastId = 0

  function end(thread: Thread, error: Error): void {
    threads.delete(thread)
    for (const { reject } of thread.pending.values()) reject(error)
    thread.pending.clear()
  }

  function start(): Thread {
    // Tests run the source, which Node does not load by itself: they take the built thread.
    const path = import.meta.url.endsWith('.ts') ? '../../../dist/read-thread.js' : '../../read-thread.js'
    const worker = new Worker(new URL(path, import.meta.url), { workerData: file, env: {}, execArgv: [] })
    const thread: Thread = { worker, pending: new Map() }
    threads.add(thread)
    worker.unref()
    worker.on('message', (answer: ReadAnswer) => settle(thread, answer))
    worker.on('error', (error) => end(thread, error))
    worker.on('exit', () => end(thread, new Error('The thread that reads the database ended.')))
    return thread
  }

  /** The one with the least to do; another one where all are busy. */
  function choose(): Thread {
    const [first] = [...threads].sort((left, right) => left.pending.size - right.pending.size)
    return first && (first.pending.size === 0 || threads.size === maxThreads) ? first : start()
  }

  return {
    read: (sql, parameters) =>
      new Promise((resolve, reject) => {
        const { worker, pending } = choose()
        const query: ReadQuery = { id: ++lastId, sql, parameters }
        pending.set(query.id, { resolve, reject })
        worker.ref()
        worker.postMessage(query)
      }),
    async close() {
      await Promise.all([...threads].map(({ worker }) => worker.terminate()))
    },
  }
}

function settle({ worker, pending }: Thread, { id, rows = [], fault }: ReadAnswer): void {
  const query = pending.get(id)
  pending.delete(id)
  if (pending.size === 0) worker.unref()
  if (fault) query?.reject(Object.assign(new Error(fault.message), { code: fault.code }))
  else query?.resolve(rows)
}
