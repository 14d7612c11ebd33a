import { type ChildProcess, fork } from 'node:child_process'
import type { Socket } from 'node:net'
import { fileURLToPath } from 'node:url'
import { WorkBusyError, WorkLimitError } from './work-error.ts'

/** A message from a process: it has started its work, asks something, or has finished. */
export type FromProcess =
  | 'started'
  | { readonly question: unknown; readonly id: number }
  | { readonly output: unknown }
  | { readonly fault: string }

/** A message that starts work. */
export interface WorkMessage {
  /** A number that no other work of the process has. */
  readonly id: number
  readonly input: unknown
  readonly maxProcessorMs: number
}

/** A message to a process: its work, or the answer to a question. */
export type ToProcess =
  | WorkMessage
  | { readonly id: number; readonly answer: unknown }
  | { readonly id: number; readonly fault: string; readonly code: string | undefined }

/** What a process reports. */
export interface ProcessListener {
  onMessage(message: FromProcess): void
  /** Work exceeded its processor time. Repeated until the process is killed, even if the work has ended. */
  onLimit(id: number): void
  /** Its end, with the reason if work was interrupted. */
  onEnd(error: Error): void
}

/** A child process that does one work item at a time. */
export interface WorkerProcess {
  /** @throws {Error} The message cannot be copied. */
  send(message: ToProcess): void
  /** Sets whether it keeps this process alive. */
  hold(isWorking: boolean): void
  /** Ends it at once. Resolves when it has ended. */
  kill(): Promise<void>
}

/** What the time zone, the language and Node.js itself depend on. Nothing else is passed on. */
const variables = ['TZ', 'LANG', 'LC_ALL', 'LC_MESSAGES', 'LANGUAGE', 'SystemRoot']

/**
 * Starts a process that runs a module with a limited heap.
 *
 * @param file - The module; it calls `serveWork`.
 * @param maxHeapMb - The maximum heap, in MB.
 */
export function startProcess(file: URL, maxHeapMb: number, listener: ProcessListener): WorkerProcess {
  let child: ChildProcess
  try {
    child = forkModule(file, maxHeapMb)
  } catch (error) {
    setImmediate(() => listener.onEnd(new WorkBusyError((error as Error).message)))
    return { hold: () => undefined, send: () => undefined, kill: async () => undefined }
  }
  child.on('error', (error) => listener.onEnd(new WorkBusyError(error.message)))
  child.on('exit', (code, signal) => listener.onEnd(toError(code, signal)))
  child.on('message', (message) => listener.onMessage(message as FromProcess))
  // If no file descriptor is left, the child has neither pipes nor a channel, and reports an error.
  const { stdio, channel }: Partial<ChildProcess> = child
  const guard = stdio?.[4] as Socket | undefined
  guard?.on('data', (data) => listener.onLimit(Number.parseInt(String(data), 10)))
  guard?.on('error', () => undefined)
  const hold = (isWorking: boolean): void => {
    for (const handle of [child, child.channel, guard]) handle?.[isWorking ? 'ref' : 'unref']()
  }
  hold(false)
  return {
    hold,
    // A process that cannot receive it has ended, which is also reported.
    send: (message) => void (channel && child.send(message, () => undefined)),
    kill: () => kill(child),
  }
}

function forkModule(file: URL, maxHeapMb: number): ChildProcess {
  const known = variables.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]]))
  return fork(fileURLToPath(file), [], {
    env: Object.fromEntries(known) as NodeJS.ProcessEnv,
    execArgv: [`--max-old-space-size=${maxHeapMb}`, '--max-semi-space-size=4'],
    // The process ends when the last pipe does, so it never outlives this one.
    stdio: ['ignore', 'ignore', 'ignore', 'ipc', 'pipe'],
    serialization: 'advanced',
  })
}

/** Node.js ends with `SIGABRT` if it runs out of memory. */
function toError(code: number | null, signal: NodeJS.Signals | null): Error {
  if (signal === 'SIGABRT' || code === 134) return new WorkLimitError('it takes too much memory')
  return new WorkBusyError(`its process ended with ${signal ?? code}`)
}

async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return
  child.ref()
  await new Promise((resolve) => {
    child.once('exit', resolve)
    child.kill('SIGKILL')
  })
}
