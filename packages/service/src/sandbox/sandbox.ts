import { type ChildProcess, fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'

/** The maximum number of processes. Each owner uses one of them, so that others do not wait long. */
const maxProcesses = 2
/** The time limit of one work item, in milliseconds, after which its process is killed. */
const budgetMs = 3_000
/** The time limit for starting a process, in milliseconds, on a busy machine. */
const startMs = 30_000
/** A process without work ends after this time, in milliseconds, because it uses 50 to 90 MB. */
const idleMs = 60_000
/** The maximum number of waiting work items per owner. */
const maxWaiting = 1_000
const execArgv = ['--max-old-space-size=256', '--max-semi-space-size=4']
/** What the time zone, the language and Node.js itself depend on. Nothing else is passed on. */
const variables = ['TZ', 'LANG', 'LC_ALL', 'LC_MESSAGES', 'LANGUAGE', 'SystemRoot']

/** Thrown for work that exceeded its time or memory limit; its result is unknown. */
export class SandboxError extends Error {
  override readonly name = 'SandboxError'
}

/** Thrown for work that could not be done for now; the same work may succeed a little later. */
export class SandboxBusyError extends Error {
  override readonly name = 'SandboxBusyError'
}

/** A work item. */
export interface SandboxWork {
  /** The name of a task of `sandbox-process`. */
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

interface Runner {
  readonly child: ChildProcess
  job: Job | undefined
  timer: NodeJS.Timeout | undefined
}

/** The response of a process: the result as JSON, or the error. */
export type SandboxAnswer = { readonly output: string } | { readonly fault: string }

const runners = new Set<Runner>()
/** Waiting work by owner. The first owner has the next turn. */
const waiting = new Map<string, Job[]>()

/**
 * Runs work on tenant input, such as patterns and templates, in a separate process, so that no input can block requests
 * or end the service: a thread that runs out of memory would end the whole process. The work is stopped at its limit of
 * time or memory. Owners take turns.
 *
 * @throws {SandboxError} It took too long or too much memory.
 * @throws {SandboxBusyError} Too much work of the same owner is waiting, or the process ended for another reason.
 */
export async function runInSandbox(work: SandboxWork): Promise<unknown> {
  const { task, owner } = work
  const queue = waiting.get(owner) ?? []
  if (queue.length >= maxWaiting) throw new SandboxBusyError('too many requests of the same environment are waiting')
  const input = JSON.stringify(work.input)
  const output = await new Promise<string>((resolve, reject) => {
    queue.push({ task, owner, input, resolve, reject })
    waiting.set(owner, queue)
    dispatch()
  })
  return JSON.parse(output)
}

/** Assigns waiting work to idle processes, at most one item per owner. */
function dispatch(): void {
  for (;;) {
    const busy = new Set(Array.from(runners, ({ job }) => job?.owner))
    const owner = [...waiting.keys()].find((key) => !busy.has(key))
    if (owner === undefined) return
    const idle = [...runners].find(({ job }) => !job) ?? (runners.size < maxProcesses ? start() : undefined)
    if (!idle) return
    run(idle, take(owner))
  }
}

/** Removes the next work item of an owner. */
function take(owner: string): Job {
  const queue = waiting.get(owner)
  const job = queue?.shift()
  if (!job) throw new Error(`no work of ${owner} is waiting`)
  if (queue?.length === 0) waiting.delete(owner)
  return job
}

/** Ends the turn of an owner. All other owners with waiting work have a turn before its next one. */
function endTurn(runner: Runner): void {
  const { job } = runner
  clearTimeout(runner.timer)
  runner.timer = undefined
  runner.job = undefined
  const queue = job && waiting.get(job.owner)
  if (!queue) return
  waiting.delete(job.owner)
  waiting.set(job.owner, queue)
}

function start(): Runner {
  // Tests run the TypeScript source, which Node cannot load itself, so they use the built file.
  const file = import.meta.url.endsWith('.ts') ? '../../dist/sandbox-process.js' : '../sandbox-process.js'
  const known = variables.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]]))
  const child = fork(fileURLToPath(new URL(file, import.meta.url)), [], {
    env: Object.fromEntries(known) as NodeJS.ProcessEnv,
    execArgv,
    // The process ends when its standard input does, so it never outlives this one.
    stdio: ['pipe', 'ignore', 'ignore', 'ipc'],
    serialization: 'advanced',
  })
  const runner: Runner = { child, job: undefined, timer: undefined }
  runners.add(runner)
  hold(runner, false)
  child.on('message', (message: SandboxAnswer | 'started') => {
    if (message === 'started') arm(runner, budgetMs, new SandboxError(`it takes longer than ${budgetMs} ms`))
    else settle(runner, message)
  })
  child.stdin?.on('error', () => undefined)
  child.on('error', (error) => end(runner, new SandboxBusyError(error.message)))
  child.on('exit', (code, signal) => {
    // Node ends this way if it runs out of memory.
    const isOutOfMemory = signal === 'SIGABRT' || code === 134
    if (isOutOfMemory) end(runner, new SandboxError('it takes too much memory'))
    else end(runner, new SandboxBusyError(`its process ended with ${signal ?? code}`))
  })
  return runner
}

/** Only running work keeps the service alive. */
function hold({ child }: Runner, isWorking: boolean): void {
  const change = isWorking ? 'ref' : 'unref'
  child[change]()
  child.channel?.[change]()
  const input = child.stdin as (NodeJS.WritableStream & { ref?(): void; unref?(): void }) | null
  input?.[change]?.()
}

function run(runner: Runner, job: Job): void {
  runner.job = job
  hold(runner, true)
  arm(runner, startMs, new SandboxBusyError('its process does not start'))
  // A process that cannot receive it has ended, which is also reported.
  runner.child.send({ task: job.task, input: job.input }, () => undefined)
}

/** The time limit starts after the process has started, so that a slow start does not count. */
function arm(runner: Runner, ms: number, error: Error): void {
  clearTimeout(runner.timer)
  if (!runner.job) return
  const stop = (): void => {
    if (runner.timer === timer) end(runner, error)
  }
  // If this process was blocked, the answer may already have arrived.
  const timer = setTimeout(() => setImmediate(stop), ms)
  runner.timer = timer
}

function settle(runner: Runner, answer: SandboxAnswer): void {
  const { job } = runner
  endTurn(runner)
  hold(runner, false)
  if ('output' in answer) job?.resolve(answer.output)
  else job?.reject(new Error(answer.fault))
  dispatch()
  if (!runner.job) runner.timer = setTimeout(() => end(runner), idleMs).unref()
}

function end(runner: Runner, error = new Error('it has no work')): void {
  const { job } = runner
  endTurn(runner)
  runners.delete(runner)
  runner.child.kill('SIGKILL')
  job?.reject(error)
  dispatch()
}
