import { closeSync, fstatSync, mkdirSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { isObject, parseUrl } from '@trestle/protocol'
import { isLoopbackHost } from '../base/is-loopback.ts'

/** The file with which `trestle dev` shares its service with other commands in the folder. */
export const sessionFile: string = join('.trestle', 'session.json')

/** The content of the session file. */
export interface DevNotes {
  readonly apiUrl: string
  /** The secret key of the service. */
  readonly key: string
  /** The address of the bridge, once it is found. */
  readonly bridgeUrl?: string | undefined
}

/**
 * Writes the address and the key of a running service, readable by its owner only. If several run in a folder, the last
 * one started is used; when it ends, the one before it.
 *
 * @param notes - The service, and the bridge it uses.
 * @returns A function that removes the session, unless another process has since written its own.
 */
export function writeSession(cwd: string, { apiUrl, key, bridgeUrl }: DevNotes): () => void {
  const existing = readNotes(cwd)
  const before = existing?.['pid'] === process.pid ? existing['before'] : existing
  writeNotes(cwd, { apiUrl, key, bridgeUrl, pid: process.pid, ...(isObject(before) && { before }) })
  return () => {
    const left = readNotes(cwd)
    if (left?.['pid'] === process.pid) writeNotes(cwd, findRunning(left['before']))
  }
}

type Notes = Readonly<Record<string, unknown>>

function writeNotes(cwd: string, notes: Notes | undefined): void {
  const path = join(cwd, sessionFile)
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  // An existing file may be readable by others.
  rmSync(path, { force: true })
  if (notes) writeFileSync(path, `${JSON.stringify(notes)}\n`, { mode: 0o600 })
}

/** Returns the nearest session file of a running process. */
function findRunning(notes: unknown): Notes | undefined {
  if (!isObject(notes)) return undefined
  return isRunning(notes['pid']) ? notes : findRunning(notes['before'])
}

/**
 * Returns the session of a `trestle dev` running in a folder; undefined if there is none. The folder may be untrusted,
 * such as a cloned repository. The file is therefore only trusted if this user wrote it, no other user can read it, its
 * process runs and the service is on this machine. A key is never sent to an address chosen by someone else.
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
    return isObject(value) ? value : undefined
  } catch {
    return undefined
  } finally {
    if (file !== undefined) closeSync(file)
  }
}

/**
 * Returns whether only this user can read a file. Windows has neither user ids nor such file modes; there, only the
 * other conditions apply.
 */
function isPrivate(file: number): boolean {
  const { uid, mode } = fstatSync(file)
  return process.getuid === undefined || (uid === process.getuid() && (mode & 0o077) === 0)
}

/** Rejects ids below 2, which stand for process groups or the first process of the system. */
function isRunning(pid: unknown): boolean {
  if (typeof pid !== 'number' || !Number.isInteger(pid) || pid <= 1) return false
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
