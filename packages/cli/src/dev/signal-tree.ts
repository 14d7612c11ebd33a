import { spawnSync } from 'node:child_process'

/** The functions of the operating system. */
interface System {
  readonly platform: string
  readonly kill: (pid: number, signal: NodeJS.Signals | 0) => boolean
  readonly run: (command: string, args: readonly string[]) => { readonly status: number | null }
}

const ownSystem: System = {
  platform: process.platform,
  kill: (pid, signal) => process.kill(pid, signal),
  run: (command, args) => spawnSync(command, args, { stdio: 'ignore', windowsHide: true }),
}

/**
 * Signals the process group that a process leads. Windows has no such groups: there, every signal ends the process and
 * its descendants immediately, except those whose parent has already exited.
 *
 * @param signal - 0 only checks whether the processes exist; on Windows, only the first one is checked.
 * @returns Whether a process was signaled.
 */
export function signalTree(pid: number, signal: NodeJS.Signals | 0, system: System = ownSystem): boolean {
  const { platform, kill, run } = system
  const isWindows = platform === 'win32'
  if (isWindows && signal !== 0) return run('taskkill', ['/pid', String(pid), '/T', '/F']).status === 0
  try {
    return kill(isWindows ? pid : -pid, signal)
  } catch {
    return false
  }
}
