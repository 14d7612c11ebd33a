import { mkdtempSync, readdirSync, rmSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const memory = '/dev/shm'
const minFreeBytes = 2 ** 31

/**
 * The location of test databases: in memory if there is space, because creating one there is about ten times as fast as
 * on disk.
 */
export const databaseFolder: string = hasRoom() ? memory : tmpdir()

/**
 * Creates a folder for a database. Its name contains the process id, so that a later run can remove what a killed
 * process left behind.
 */
export function createDatabaseFolder(prefix: string): string {
  return mkdtempSync(join(databaseFolder, `${prefix}-${process.pid}-`))
}

/** Removes the folders of processes that no longer exist. */
export function removeAbandonedFolders(prefix: string): void {
  for (const name of readdirSync(databaseFolder)) {
    const [, pid] = new RegExp(`^${prefix}-(\\d+)-`).exec(name) ?? []
    if (pid !== undefined && !isRunning(Number(pid)))
      rmSync(join(databaseFolder, name), { recursive: true, force: true })
  }
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

function hasRoom(): boolean {
  try {
    const { bavail, bsize } = statfsSync(memory)
    return bavail * bsize > minFreeBytes
  } catch {
    return false
  }
}
