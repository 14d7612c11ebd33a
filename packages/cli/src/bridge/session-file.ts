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
 * Writes the address and the key of a running service, readable by its owner only. Where several run in a folder, the
 * one that was started last is told of; when it ends, the one before is again.
 *
 * @param cwd - The folder.
 * @param notes - The service, and the bridge it works with.
 * @returns A function that takes them back, unless another process has written its own meanwhile.
 */
export function writeSession(cwd: string, { apiUrl, key, bridgeUrl }: DevNotes): () => void {
  const found = readNotes(cwd)
  const before = found?.['pid'] === process.pid ? found['before'] : found
  writeNotes(cwd, { apiUrl, key, bridgeUrl, pid: process.pid, ...(isRecord(before) && { before }) })
  return () => {
    const left = readNotes(cwd)
    if (left?.['pid'] === process.pid) writeNotes(cwd, findRunning(left['before']))
  }
}

type Notes = Readonly<Record<string, unknown>>

function writeNotes(cwd: string, notes: Notes | undefined): void {
  const path = join(cwd, sessionFile)
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  // A file that is there may be readable by others.
  rmSync(path, { force: true })
  if (notes) writeFileSync(path, `${JSON.stringify(notes)}\n`, { mode: 0o600 })
}

/** Returns the nearest notes of a process that still runs. */
function findRunning(notes: unknown): Notes | undefined {
  if (!isRecord(notes)) return undefined
  return isRunning(Number(notes['pid'])) ? notes : findRunning(notes['before'])
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

function readNotes(cwd: string): Notes | undefined {
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
