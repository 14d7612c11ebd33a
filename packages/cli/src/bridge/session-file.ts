import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { isRecord } from '../base/is-record.ts'

/** Where a running `trestle dev` tells other commands of the same folder of its service. */
export const sessionFile: string = join('.trestle', 'session.json')

/** What a running `trestle dev` tells. */
export interface DevNotes {
  /** Where its service is. */
  readonly apiUrl: string
  /** The secret key of its service. */
  readonly key: string
  /** Where the bridge is, once it is known. */
  readonly bridgeUrl?: string | undefined
}

/**
 * Writes the address and the key of a running service, readable by its owner only.
 *
 * @param cwd - The folder.
 * @param notes - The service, and the bridge it works with.
 * @returns A function that removes the file again, unless another process has written its own meanwhile.
 */
export function writeSession(cwd: string, { apiUrl, key, bridgeUrl }: DevNotes): () => void {
  const path = join(cwd, sessionFile)
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  rmSync(path, { force: true })
  writeFileSync(path, `${JSON.stringify({ apiUrl, key, bridgeUrl, pid: process.pid })}\n`, { mode: 0o600 })
  return () => {
    if (readNotes(cwd)?.['pid'] === process.pid) rmSync(path, { force: true })
  }
}

/**
 * Returns what the `trestle dev` that runs in a folder tells; undefined where none does.
 *
 * @param cwd - The folder.
 */
export function readSession(cwd: string): DevNotes | undefined {
  const { apiUrl, key, bridgeUrl, pid } = readNotes(cwd) ?? {}
  if (typeof apiUrl !== 'string' || typeof key !== 'string' || !isRunning(Number(pid))) return undefined
  return { apiUrl, key, bridgeUrl: typeof bridgeUrl === 'string' ? bridgeUrl : undefined }
}

function readNotes(cwd: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(readFileSync(join(cwd, sessionFile), 'utf8'))
    return isRecord(value) ? value : undefined
  } catch {
    return undefined
  }
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
