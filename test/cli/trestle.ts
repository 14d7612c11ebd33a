import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runTrestle } from '../../packages/cli/dist/main/run-trestle.js'
import { root } from '../repository.ts'

export type Environment = Readonly<Record<string, string | undefined>>

/** The outcome of a command. */
export interface Ended {
  readonly status: number | null
  readonly stdout: string
  readonly stderr: string
}

/** A running command. */
export interface Running {
  readonly ended: Promise<Ended>
  /** Waits until the complete lines of its output match. */
  until(pattern: RegExp): Promise<RegExpExecArray>
  /** Sends a signal, and waits for the command to end. */
  kill(signal: NodeJS.Signals): Promise<Ended>
  readonly pid: number
}

export const bin: string = join(root, 'packages/cli/dist/bin.js')

/** Excludes the environment variables of the machine, so that they do not affect the command. */
const cleanEnv: Environment = { PATH: process.env['PATH'], HOME: tmpdir(), NODE_NO_WARNINGS: '1' }

/** Starts the built command in a separate process. @default in an empty folder */
export function startTrestle(argv: readonly string[], options: CommandOptions = {}): Running {
  // The default is a folder in which no service was started.
  const empty = options.cwd === undefined ? mkdtempSync(join(tmpdir(), 'trestle-command-')) : undefined
  const { cwd = empty, env = {} } = options
  const child = spawn(process.execPath, [bin, ...argv], {
    cwd,
    env: { ...cleanEnv, ...env } as NodeJS.ProcessEnv,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let [stdout, stderr] = ['', '']
  const watchers = new Set<() => void>()
  const wake = () => {
    for (const watcher of watchers) watcher()
  }
  child.stdout.on('data', (chunk) => {
    stdout += chunk
    wake()
  })
  child.stderr.on('data', (chunk) => {
    stderr += chunk
    wake()
  })
  const ended = new Promise<Ended>((resolve) => child.once('close', (status) => resolve({ status, stdout, stderr })))
  void ended.then(() => {
    wake()
    if (empty !== undefined) rmSync(empty, { recursive: true, force: true })
  })
  return {
    ended,
    pid: child.pid ?? 0,
    kill(signal) {
      child.kill(signal)
      return ended
    },
    until: (pattern) =>
      new Promise((resolve, reject) => {
        const look = () => {
          const match = pattern.exec(completeLines(stdout) + completeLines(stderr))
          if (match) done(() => resolve(match))
          else if (child.exitCode !== null)
            done(() => reject(new Error(`It ended before ${pattern}:\n${stdout}${stderr}`)))
        }
        const timer = setTimeout(() => done(() => reject(new Error(`No ${pattern} in:\n${stdout}${stderr}`))), 60_000)
        const done = (end: () => void) => {
          clearTimeout(timer)
          watchers.delete(look)
          end()
        }
        watchers.add(look)
        look()
      }),
  }
}

interface CommandOptions {
  readonly cwd?: string
  readonly env?: Environment
}

/** Runs the built command in a separate process to its end. Most tests need only {@link trestle}. */
export function trestleProcess(argv: readonly string[], options: CommandOptions = {}): Promise<Ended> {
  return startTrestle(argv, options).ended
}

/** Runs the built command to its end, in this process: starting another one would take most of the test's time. */
export async function trestle(argv: readonly string[], options: CommandOptions = {}): Promise<Ended> {
  const empty = options.cwd === undefined ? mkdtempSync(join(tmpdir(), 'trestle-command-')) : undefined
  let [stdout, stderr] = ['', '']
  const streams = {
    stdout: { write: (text: string) => (stdout += text) },
    stderr: { write: (text: string) => (stderr += text) },
  }
  try {
    const status = await runTrestle(argv, {
      ...streams,
      cwd: options.cwd ?? empty ?? '',
      env: { ...cleanEnv, ...options.env },
    })
    return { status, stdout, stderr }
  } finally {
    if (empty !== undefined) rmSync(empty, { recursive: true, force: true })
  }
}

/** Output can arrive in the middle of a line, for example of a secret key. */
function completeLines(text: string): string {
  return text.slice(0, text.lastIndexOf('\n') + 1)
}
