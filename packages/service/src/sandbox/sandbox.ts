import { Worker } from 'node:worker_threads'

/** The maximum number of threads. Each owner uses one of them, so that others do not wait long. */
const maxThreads = 2
/** The time limit of one work item, in milliseconds, after which its thread is terminated. */
const budgetMs = 3_000
/** The time limit for starting a thread, in milliseconds, on a busy machine. */
const startMs = 30_000
const maxWaiting = 1_000
const limits = { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 32 }

/** Thrown for work that exceeded its time or memory limit; its result is unknown. */
export class SandboxError extends Error {
  override readonly name = 'SandboxError'
}

/** A work item. */
export interface SandboxWork {
  /** The name of a task of `sandbox-thread`. */
  readonly task: string
  /** The input, as JSON. */
  readonly input: unknown
  /** The owner: the id of an environment. */
  readonly owner: string
}

interface Job extends Pick<SandboxWork, 'task' | 'owner'> {
  readonly input: string
  readonly resolve: (output: string) => void
  readonly reject: (error: Error) => void
}

interface Thread {
  readonly worker: Worker
  job: Job | undefined
  timer: NodeJS.Timeout | undefined
}

/** The response of the thread: the result as JSON, or the error. */
export type SandboxAnswer = { readonly output: string } | { readonly fault: string }

const threads = new Set<Thread>()
const waiting: Job[] = []

/**
 * Runs work on tenant input, such as patterns and templates, in a separate thread, so that no input can block requests.
 * The work is terminated at its limit of time or memory. Owners take turns.
 *
 * @throws {SandboxError} It took too long or too much memory, or too much work of the same owner is waiting.
 */
export async function runInSandbox(work: SandboxWork): Promise<unknown> {
  const { task, owner } = work
  if (waiting.filter((job) => job.owner === owner).length >= maxWaiting)
    throw new SandboxError('too much work of the same environment is waiting; try again later')
  const input = JSON.stringify(work.input)
  const output = await new Promise<string>((resolve, reject) => {
    waiting.push({ task, owner, input, resolve, reject })
    dispatch()
  })
  return JSON.parse(output)
}

/** Assigns waiting work to idle threads: the oldest item of each owner without running work. */
function dispatch(): void {
  while (waiting.length > 0 && threads.size < maxThreads) start()
  for (const thread of threads) {
    if (thread.job !== undefined) continue
    const busy = new Set([...threads].map(({ job }) => job?.owner))
    const index = waiting.findIndex(({ owner }) => !busy.has(owner))
    const [job] = index === -1 ? [] : waiting.splice(index, 1)
    if (!job) return
    run(thread, job)
  }
}

function start(): void {
  // Tests run the TypeScript source, which Node cannot load itself, so they use the built thread.
  const file = import.meta.url.endsWith('.ts') ? '../../dist/sandbox-thread.js' : '../sandbox-thread.js'
  const options = { env: {}, execArgv: [], resourceLimits: limits }
  const worker = new Worker(new URL(file, import.meta.url), options)
  const thread: Thread = { worker, job: undefined, timer: undefined }
  threads.add(thread)
  worker.unref()
  worker.on('message', (message: SandboxAnswer | 'started') => {
    if (message === 'started') arm(thread, budgetMs)
    else settle(thread, message)
  })
  // A thread that runs out of memory exits.
  worker.on('error', (error) =>
    end(
      thread,
      (error as NodeJS.ErrnoException).code === 'ERR_WORKER_OUT_OF_MEMORY' ? 'takes too much memory' : error.message,
    ),
  )
  worker.on('exit', () => end(thread, 'ended'))
}

function run(thread: Thread, job: Job): void {
  thread.job = job
  thread.worker.ref()
  arm(thread, startMs)
  thread.worker.postMessage({ task: job.task, input: job.input })
}

/** The time limit starts after the thread has started, so that a slow start does not count. */
function arm(thread: Thread, ms: number): void {
  clearTimeout(thread.timer)
  if (thread.job === undefined) return
  thread.timer = setTimeout(() => {
    end(thread, `takes longer than ${ms} ms`)
    void thread.worker.terminate()
  }, ms)
}

function settle(thread: Thread, answer: SandboxAnswer): void {
  const { job } = thread
  clearTimeout(thread.timer)
  thread.job = undefined
  thread.worker.unref()
  if ('output' in answer) job?.resolve(answer.output)
  else job?.reject(new Error(answer.fault))
  dispatch()
}

function end(thread: Thread, reason: string): void {
  clearTimeout(thread.timer)
  threads.delete(thread)
  thread.job?.reject(new SandboxError(`it ${reason}`))
  thread.job = undefined
  dispatch()
}
