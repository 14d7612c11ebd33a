import { type ChildProcess, spawn } from 'node:child_process'
import { delimiter, dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { cleanLines } from './clean-lines.ts'

export interface RunningApp {
  /** Resolves when the app exits, with the reason. */
  readonly ended: Promise<string>
  /** Stops it with all its child processes. */
  stop(): Promise<void>
}

/** How an app is started. */
export interface RunAppOptions {
  readonly cwd: string
  readonly env: Readonly<Record<string, string | undefined>>
  /** Receives its output, line by line. */
  readonly onLine: (line: string) => void
}

const graceMs = 3000
const checkMs = 50

/**
 * Runs an app as a shell command in its own process group.
 *
 * @param command - For example `npm run dev`.
 * @param options - Folder, environment, and output callback.
 */
export function runApp(command: string, { cwd, env, onLine }: RunAppOptions): RunningApp {
  const isGrouped = process.platform !== 'win32'
  const child = spawn(command, {
    cwd,
    env: { ...env, PATH: toPath(cwd, env['PATH']) },
    shell: true,
    detached: isGrouped,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  cleanLines(child.stdout, onLine)
  cleanLines(child.stderr, onLine)
  const ended = new Promise<string>((resolve) => {
    child.once('error', (error) => resolve(`could not be started: ${error.message}`))
    child.once('exit', (status, signal) =>
      resolve(signal ? `was stopped by ${signal}` : `exited with status ${status}`),
    )
  })
  const end = (signal: NodeJS.Signals): boolean => signalGroup(child, signal, isGrouped)
  // The app must not outlive this process.
  const onExit = (): void => void end('SIGKILL')
  process.once('exit', onExit)
  return {
    ended,
    async stop() {
      end('SIGTERM')
      const untilMs = Date.now() + graceMs
      while (end(0 as unknown as NodeJS.Signals) && Date.now() < untilMs) await sleep(checkMs)
      end('SIGKILL')
      process.off('exit', onExit)
    },
  }
}

/** Adds the programs installed by the app to the path, as npm scripts do. */
function toPath(cwd: string, path = ''): string {
  const folders: string[] = []
  for (let folder = cwd; ; folder = dirname(folder)) {
    folders.push(join(folder, 'node_modules', '.bin'))
    if (folder === dirname(folder)) return [...folders, path].join(delimiter)
  }
}

/** Returns whether a process was signaled. */
function signalGroup({ pid }: ChildProcess, signal: NodeJS.Signals, isGrouped: boolean): boolean {
  if (pid === undefined) return false
  try {
    return process.kill(isGrouped ? -pid : pid, signal)
  } catch {
    return false
  }
}
