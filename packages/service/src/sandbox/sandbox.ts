import { Worker } from 'node:worker_threads'

/** The most threads at a time. One owner has one of them, so that nobody waits for the work of another for long. */
const maxThreads = 2
/** The longest that one piece of work may take. Its thread is ended then, whatever it is doing. */
const budgetMs = 3_000
/** The longest that a thread may take to start, on a machine that is busy. */
const startMs = 30_000
const maxWaiting = 1_000
const limits = { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 32 }

/** Thrown for work that took longer or more memory than it may; nothing is known of its result. */
export class SandboxError extends Error {
  override readonly name = 'SandboxError'
}

/** A piece of work. */
export interface SandboxWork {
  /** What is done: the name of a function of `sandbox-thread`. */
  readonly task: string
  /** What it is given: JSON. */
  readonly input: unknown
  /** On whose behalf: the id of an environment. */
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

/** The answer of the thread: the result as JSON, or what was thrown. */
export type SandboxAnswer = { readonly output: string } | { readonly fault: string }

const threads = new Set<Thread>()
const waiting: Job[] = []

/**
 * Does work on what tenants wrote, such as patterns and templates, in a thread beside the one that answers requests. No
 * input keeps that one from answering others, however long it takes: the work is ended at its budget of time or memory.
 * Owners take turns.
 *
 * @throws {SandboxError} It took too long, too much memory, or too much of the same owner is waiting.
 */
export async function runInSandbox(work: SandboxWork): Promise<unknown> {
  const { task, owner } = work
  if (waiting.filter((job) => job.owner === owner).length >= maxWaiting)
    throw new SandboxError('too much of the same environment is waiting; try again later')
  const input = JSON.stringify(work.input)
  const output = await new Promise<string>((resolve, reject) => {
    waiting.push({ task, owner, input, resolve, reject })
    dispatch()
  })
  return JSON.parse(output)
}

/** Hands waiting work to idle threads: the oldest of each owner that has nothing running. */
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
  // Tests run the source, which Node does not load by itself: they take the built thread.
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
  // A thread that runs out of memory ends by itself.
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

/** The budget begins when the thread has begun: before that the machine is slow, not the work. */
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
