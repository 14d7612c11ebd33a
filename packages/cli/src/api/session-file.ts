import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { ServiceAccess } from './service-access.ts'

/** Where a running `trestle dev` tells other commands of the same folder of its service. */
export const sessionFile: string = join('.trestle', 'session.json')

/**
 * Writes the address and the key of a running service, readable by its owner only.
 *
 * @param cwd - The folder.
 * @param access - The service.
 * @returns A function that removes the file again.
 */
export function writeSession(cwd: string, { apiUrl, key }: ServiceAccess): () => void {
  const path = join(cwd, sessionFile)
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  rmSync(path, { force: true })
  writeFileSync(path, `${JSON.stringify({ apiUrl, key, pid: process.pid })}\n`, { mode: 0o600 })
  return () => rmSync(path, { force: true })
}
