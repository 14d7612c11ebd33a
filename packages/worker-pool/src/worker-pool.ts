import { WorkBusyError, WorkLimitError } from './work-error.ts'
import { type FromProcess, startProcess, type WorkerProcess } from './worker-process.ts'

/** Options of a worker pool. */
export interface WorkerPoolOptions {
  /** The module that each process runs; it calls `serveWork`. */
  readonly file: URL
  /** The maximum heap of a process, in MB. */
  readonly maxHeapMb: number
  /** The maximum processor time of a work item, in milliseconds, after which its process is killed. */
  readonly maxProcessorMs: number
  /** The maximum duration of a work item, in milliseconds, which depends on the load of the machine. */
  readonly maxMs: number
  /** The maximum number of waiting work items per owner. */
  readonly maxWaiting: number
}

/** A work item. */
export interface Work {
  /** The input, copied to the process as `structuredClone` copies it. */
  readonly input: unknown
  /** The owner. One work item of each owner runs at a time. */
  readonly owner: string
  /** Answers what the work asks while it runs. The code of an error is passed on. @default rejects */
  readonly answer?: (question: unknown) => Promise<unknown>
}

/** Processes that do work. */
export interface WorkerPool {
  /**
   * Runs work in a process.
   *
   * @returns The output, copied as `structuredClone` copies it.
   * @throws {WorkLimitError} It took too much processor time or memory.
   * @throws {WorkBusyError} Too much work of the owner is waiting, it lasted too long, the process ended for another
   * reason, or the pool is stopped.
   */
  run(work: Work): Promise<unknown>
  /** Ends all processes. Work that is waiting or running is rejected. */
  stop(): Promise<void>
}

interface Job extends Work {
  readonly resolve: (output: unknown) => void
  readonly reject: (error: Error) => void
}

interface Runner {
  readonly process: WorkerProcess
  /** The number of work items that it has started. */
  count: number
  job: Job | undefined
  timer: NodeJS.Timeout | undefined
}

interface Pool extends WorkerPoolOptions {
  readonly runners: Set<Runner>
  /** Waiting work by owner. The first owner has the next turn. */
  readonly waiting: Map<string, Job[]>
  isStopped: boolean
}

/** The maximum number of processes. Each owner uses one of them, so that others do not wait long. */
const maxProcesses = 2
/** The time limit for starting a process, in milliseconds, on a busy machine. */
const startMs = 30_000
/** A process without work ends after this time, in milliseconds, because it uses 50 to 90 MB. */
const idleMs = 60_000

/**
 * Creates a pool of child processes that work on untrusted input, so that no input can block or end this process: a
 * thread that runs out of memory would end the whole process. Processes start on demand. Owners take turns.
 *
 * @param options - The module, and the limits of its work.
 *
 * @example
 * const file = new URL('./render-process.js', import.meta.url)
 * const pool = createWorkerPool({ file, maxHeapMb: 256, maxProcessorMs: 3_000, maxMs: 60_000, maxWaiting: 9 })
 * const html = await pool.run({ input: template, owner: tenantId })
 */
export function createWorkerPool(options: WorkerPoolOptions): WorkerPool {
  const pool: Pool = { ...options, runners: new Set(), waiting: new Map(), isStopped: false }
  return {
    async run(work) {
      if (pool.isStopped) throw new WorkBusyError('the pool is stopped')
      const queue = pool.waiting.get(work.owner) ?? []
      if (queue.length >= pool.maxWaiting) throw new WorkBusyError('too many requests are waiting')
      return new Promise((resolve, reject) => {
        queue.push({ ...work, resolve, reject })
        pool.waiting.set(work.owner, queue)
        dispatch(pool)
      })
    },
    async stop() {
      pool.isStopped = true
      const stopped = new WorkBusyError('the pool is stopped')
      for (const { reject } of [...pool.waiting.values()].flat()) reject(stopped)
      pool.waiting.clear()
      await Promise.all(Array.from(pool.runners, (runner) => end(pool, runner, stopped)))
    },
  }
}

/** Assigns waiting work to idle processes, at most one item per owner. */
function dispatch(pool: Pool): void {
  const { runners, waiting } = pool
  for (;;) {
    const busy = new Set(Array.from(runners, ({ job }) => job?.owner))
    const owner = [...waiting.keys()].find((key) => !busy.has(key))
    if (owner === undefined) return
    const idle = [...runners].find(({ job }) => !job) ?? (runners.size < maxProcesses ? start(pool) : undefined)
    if (!idle) return
    run(pool, idle, take(pool, owner))
  }
}

/** Removes the next work item of an owner. */
function take({ waiting }: Pool, owner: string): Job {
  const queue = waiting.get(owner)
  const job = queue?.shift()
  if (!job) throw new Error(`no work of ${owner} is waiting`)
  if (queue?.length === 0) waiting.delete(owner)
  return job
}

function start(pool: Pool): Runner {
  const process = startProcess(pool.file, pool.maxHeapMb, {
    onMessage: (message) => hear(pool, runner, message),
    onLimit(id) {
      if (runner.job && id === runner.count)
        void end(pool, runner, new WorkLimitError('it takes too much processor time'))
    },
    onEnd: (error) => void end(pool, runner, error),
  })
  const runner: Runner = { process, count: 0, job: undefined, timer: undefined }
  pool.runners.add(runner)
  return runner
}

function run(pool: Pool, runner: Runner, job: Job): void {
  runner.job = job
  runner.count++
  // Only running work keeps this process alive.
  runner.process.hold(true)
  arm(pool, runner, { ms: startMs, error: new WorkBusyError('its process does not start') })
  try {
    runner.process.send({ id: runner.count, input: job.input, maxProcessorMs: pool.maxProcessorMs })
  } catch (error) {
    job.reject(error as Error)
    free(pool, runner)
  }
}

/** The limit of work starts after the process has started, so that a slow start does not count. */
function arm(pool: Pool, runner: Runner, { ms, error }: { readonly ms: number; readonly error: Error }): void {
  clearTimeout(runner.timer)
  const stop = (): void => {
    if (runner.timer === timer) void end(pool, runner, error)
  }
  // If this process was blocked, the result may already have arrived.
  const timer = setTimeout(() => setImmediate(stop), ms)
  runner.timer = timer
}

function hear(pool: Pool, runner: Runner, message: FromProcess): void {
  const { job } = runner
  if (!job) return
  if (message === 'started') {
    const { maxMs: ms } = pool
    arm(pool, runner, { ms, error: new WorkBusyError(`it has not finished within ${ms} ms`) })
  } else if ('question' in message) void answer(runner, job, message)
  else {
    if ('output' in message) job.resolve(message.output)
    else job.reject(new Error(message.fault))
    free(pool, runner)
  }
}

/** Ends the turn of an owner, and gives the process its next work. */
function free(pool: Pool, runner: Runner): void {
  endTurn(pool, runner)
  runner.process.hold(false)
  dispatch(pool)
  if (!runner.job) runner.timer = setTimeout(() => void end(pool, runner), idleMs).unref()
}

async function answer(
  { process }: Runner,
  job: Job,
  { id, question }: { readonly id: number; readonly question: unknown },
): Promise<void> {
  try {
    if (!job.answer) throw new Error('nobody answers questions of this work')
    process.send({ id, answer: await job.answer(question) })
  } catch (error) {
    // Includes answers that cannot be copied.
    const { message, code }: NodeJS.ErrnoException = error instanceof Error ? error : new Error('it has no answer')
    // Errors of the platform may have a number.
    process.send({ id, fault: message, code: typeof code === 'string' ? code : undefined })
  }
}

/** Ends the turn of an owner. All other owners with waiting work have a turn before its next one. */
function endTurn({ waiting }: Pool, runner: Runner): void {
  const { job } = runner
  clearTimeout(runner.timer)
  runner.timer = undefined
  runner.job = undefined
  const queue = job && waiting.get(job.owner)
  if (!queue) return
  waiting.delete(job.owner)
  waiting.set(job.owner, queue)
}

async function end(pool: Pool, runner: Runner, error = new Error('it has no work')): Promise<void> {
  runner.job?.reject(error)
  endTurn(pool, runner)
  pool.runners.delete(runner)
  const ended = runner.process.kill()
  dispatch(pool)
  await ended
}
