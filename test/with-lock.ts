import { mkdirSync, rmSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

const staleMs = 600_000

/**
 * Runs work that only one process can do at a time; others wait.
 *
 * @param lock - Path of a folder that exists while the work runs.
 */
export async function withLock<Result>(lock: string, work: () => Promise<Result>): Promise<Result> {
  mkdirSync(dirname(lock), { recursive: true })
  while (!tryLock(lock)) await sleep(200)
  try {
    return await work()
  } finally {
    rmSync(lock, { recursive: true, force: true })
  }
}

/** Only one process can succeed in creating the folder. The lock of a killed run is removed after ten minutes. */
function tryLock(lock: string): boolean {
  try {
    mkdirSync(lock)
    return true
  } catch {
    const stats = statSync(lock, { throwIfNoEntry: false })
    if (stats && Date.now() - stats.mtimeMs > staleMs) rmSync(lock, { recursive: true, force: true })
    return false
  }
}
