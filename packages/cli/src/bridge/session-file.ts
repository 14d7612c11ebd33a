import { closeSync, fstatSync, mkdirSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { parseUrl } from '@trestle/protocol'
import { isLoopbackHost } from '../base/is-loopback.ts'
import { isRecord } from '../base/is-record.ts'

/** Where a running `trestle dev` tells other commands of the same folder of its service. */
export const sessionFile: string = join('.trestle', 'session.json')

/** What a running `trestle dev` tells. */
export interface DevNotes {
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
  return isRunning(notes['pid']) ? notes : findRunning(notes['before'])
}

/**
 * Returns the notes of the `trestle dev` that runs in a folder; undefined if none does. The folder may be someone else's
 * work, such as a repository that was just cloned, so its file is trusted only if this user wrote it, nobody else can
 * read it, its process runs and the service is on this machine: no key is ever sent to an address that a stranger chose.
 */
export function readSession(cwd: string): DevNotes | undefined {
  const { apiUrl, key, bridgeUrl, pid } = readNotes(cwd) ?? {}
  if (typeof apiUrl !== 'string' || typeof key !== 'string' || !isRunning(pid)) return undefined
  const { protocol, hostname } = parseUrl(apiUrl) ?? {}
  if (protocol !== 'http:' || hostname === undefined || !isLoopbackHost(hostname)) return undefined
  return { apiUrl, key, bridgeUrl: typeof bridgeUrl === 'string' ? bridgeUrl : undefined }
}

function readNotes(cwd: string): Notes | undefined {
  let file: number | undefined
  try {
    file = openSync(join(cwd, sessionFile), 'r')
    if (!isPrivate(file)) return undefined
    const value: unknown = JSON.parse(readFileSync(file, 'utf8'))
    return isRecord(value) ? value : undefined
  } catch {
    return undefined
  } finally {
    if (file !== undefined) closeSync(file)
  }
}

/** On Windows files have neither an owner's number nor such modes; there the other conditions decide. */
function isPrivate(file: number): boolean {
  const { uid, mode } = fstatSync(file)
  return process.getuid === undefined || (uid === process.getuid() && (mode & 0o077) === 0)
}

/** Smaller numbers name groups of processes, or the first process of the system. */
function isRunning(pid: unknown): boolean {
  if (typeof pid !== 'number' || !Number.isInteger(pid) || pid <= 1) return false
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
