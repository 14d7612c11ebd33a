import { Worker } from 'node:worker_threads'
import type { ReadAnswer, ReadRequest } from './read-query.ts'

/** With two threads, a slow query does not block the others. */
const maxThreads = 2
/** How long threads are kept after the last reader was closed. Starting a thread takes longer than most queries. */
const idleMs = 5000

/** Reads an embedded database outside the request thread. */
export interface Reader {
  /**
   * Returns the rows of a query.
   *
   * @throws The error of the database, with its code.
   */
  read(sql: string, parameters: readonly unknown[]): Promise<readonly unknown[]>
  /** Closes the database; running queries are rejected. */
  close(): Promise<void>
}

interface Pending {
  readonly owner: symbol
  readonly resolve: (rows: readonly unknown[]) => void
  readonly reject: (error: Error) => void
}

interface Thread {
  readonly worker: Worker
  readonly pending: Map<number, Pending>
}

// All readers of a process share its threads.
const threads = new Set<Thread>()
const readers = new Set<symbol>()
let lastId = 0
let idleTimer: NodeJS.Timeout | undefined

/**
 * Creates a reader; the threads start when needed.
 *
 * @param file - The path of the database, which must exist at the first query.
 */
export function createReader(file: string): Reader {
  const owner = Symbol(file)
  readers.add(owner)
  clearTimeout(idleTimer)
  return {
    async read(sql, parameters) {
      if (!readers.has(owner)) throw new Error('The database is closed.')
      return send(choose(), owner, { file, sql, parameters })
    },
    async close() {
      readers.delete(owner)
      const closed = [...threads].map((thread) => {
        for (const [id, query] of thread.pending)
          if (query.owner === owner) {
            thread.pending.delete(id)
            query.reject(new Error('The database was closed.'))
          }
        return send(thread, owner, { file }).catch(() => undefined)
      })
      await Promise.all(closed)
      if (readers.size === 0) idleTimer = setTimeout(stopThreads, idleMs).unref()
    },
  }
}

/** Returns the least busy thread, or starts another if all are busy. */
function choose(): Thread {
  const [first] = [...threads].sort((left, right) => left.pending.size - right.pending.size)
  return first && (first.pending.size === 0 || threads.size === maxThreads) ? first : start()
}

function start(): Thread {
  // Tests run the TypeScript source, which Node cannot load itself, so they use the built thread.
  const path = import.meta.url.endsWith('.ts') ? '../../../dist/read-thread.js' : '../../read-thread.js'
  const worker = new Worker(new URL(path, import.meta.url), { env: {}, execArgv: [] })
  const thread: Thread = { worker, pending: new Map() }
  threads.add(thread)
  worker.unref()
  worker.on('message', (answer: ReadAnswer) => settle(thread, answer))
  worker.on('error', (error) => end(thread, error))
  worker.on('exit', () => end(thread, new Error('The database reading thread exited.')))
  return thread
}

function send(
  { worker, pending }: Thread,
  owner: symbol,
  request: Omit<ReadRequest, 'id'>,
): Promise<readonly unknown[]> {
  return new Promise((resolve, reject) => {
    const id = ++lastId
    pending.set(id, { owner, resolve, reject })
    worker.ref()
    worker.postMessage({ id, ...request } satisfies ReadRequest)
  })
}

function settle({ worker, pending }: Thread, { id, rows = [], fault }: ReadAnswer): void {
  const query = pending.get(id)
  pending.delete(id)
  if (pending.size === 0) worker.unref()
  if (fault) query?.reject(Object.assign(new Error(fault.message), { code: fault.code }))
  else query?.resolve(rows)
}

function end(thread: Thread, error: Error): void {
  threads.delete(thread)
  for (const { reject } of thread.pending.values()) reject(error)
  thread.pending.clear()
}

/**
 * Stops the threads, unless a reader was created in the meantime: terminating a thread during a query ends the process.
 */
function stopThreads(): void {
  if (readers.size > 0) return
  for (const thread of threads) {
    threads.delete(thread)
    void thread.worker.terminate()
  }
}
