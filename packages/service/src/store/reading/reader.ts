import { Worker } from 'node:worker_threads'
import type { ReadAnswer, ReadQuery } from './read-query.ts'

/** With two threads, a slow query does not block the others. */
const maxThreads = 2

/** Reads the embedded database outside the request thread. */
export interface Reader {
  /**
   * Returns the rows of a query.
   *
   * @throws The error of the database, with its code.
   */
  read(sql: string, parameters: readonly unknown[]): Promise<readonly unknown[]>
  /** Stops the threads; running queries are rejected. */
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
 * Creates a reader; its threads start when needed.
 *
 * @param file - The path of the database, which must exist at the first query.
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
    // Tests run the TypeScript source, which Node cannot load itself, so they use the built thread.
    const path = import.meta.url.endsWith('.ts') ? '../../../dist/read-thread.js' : '../../read-thread.js'
    const worker = new Worker(new URL(path, import.meta.url), { workerData: file, env: {}, execArgv: [] })
    const thread: Thread = { worker, pending: new Map() }
    threads.add(thread)
    worker.unref()
    worker.on('message', (answer: ReadAnswer) => settle(thread, answer))
    worker.on('error', (error) => end(thread, error))
    worker.on('exit', () => end(thread, new Error('The database reading thread exited.')))
    return thread
  }

  /** Returns the least busy thread, or starts another if all are busy. */
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
