import { spawn } from 'node:child_process'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { withFolders } from '../base/search-path.ts'
import { cleanLines } from './clean-lines.ts'
import { signalTree } from './signal-tree.ts'

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
  const child = spawn(command, {
    cwd,
    env: withFolders(env, programFolders(cwd)),
    shell: true,
    // It leads its own process group. On Windows, it would open a window instead.
    detached: process.platform !== 'win32',
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
  const { pid } = child
  const end = (signal: NodeJS.Signals | 0): boolean => pid !== undefined && signalTree(pid, signal)
  // The app must not outlive this process.
  const onExit = (): void => void end('SIGKILL')
  process.once('exit', onExit)
  return {
    ended,
    async stop() {
      end('SIGTERM')
      const untilMs = Date.now() + graceMs
      while (end(0) && Date.now() < untilMs) await sleep(checkMs)
      if (end(0)) end('SIGKILL')
      process.off('exit', onExit)
    },
  }
}

/** Waits until a program ends, and returns the reason; `undefined` if the signal aborts first. */
export function endOrAbort(ended: Promise<string>, signal: AbortSignal): Promise<string | undefined> {
  const aborted = new Promise<undefined>((resolve) => {
    if (signal.aborted) resolve(undefined)
    signal.addEventListener('abort', () => resolve(undefined), { once: true })
  })
  return Promise.race([ended, aborted])
}

/** Returns the folders with the programs installed by the app, which npm scripts search too. */
function programFolders(cwd: string): readonly string[] {
  const folder = join(cwd, 'node_modules', '.bin')
  return dirname(cwd) === cwd ? [folder] : [folder, ...programFolders(dirname(cwd))]
}
