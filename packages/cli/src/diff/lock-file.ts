import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { isObject } from '@trestle/protocol'
import { readText } from '../base/read-text.ts'
import { CommandError } from '../terminal/command-error.ts'
import { type Contract, contractVersion } from './contract.ts'

/** The default lock file. */
export const usualLockFile = 'trestle.lock.json'

/**
 * Reads a contract from its lock file; undefined if it does not exist.
 *
 * @throws {CommandError} It is not a lock file of this version.
 */
export function readLockFile(path: string): Contract | undefined {
  if (!existsSync(path)) return undefined
  let value: unknown
  try {
    value = JSON.parse(readText(path))
  } catch (cause) {
    throw new CommandError(`${path} is not valid JSON.`, {
      fix: 'Restore it from version control, or recreate it with --write.',
      cause,
    })
  }
  const isContract =
    isObject(value) &&
    value['version'] === contractVersion &&
    Array.isArray(value['workflows']) &&
    Array.isArray(value['agents'])
  if (!isContract)
    throw new CommandError(`${path} is not a lock file of version ${contractVersion}.`, {
      fix: 'Recreate it with --write.',
    })
  return value as unknown as Contract
}

/** Returns a contract as the text of a lock file. */
export function toLockText(contract: Contract): string {
  return `${JSON.stringify(contract, null, 2)}\n`
}

/**
 * Writes a contract to its lock file.
 *
 * @returns Whether the file has changed.
 */
export function writeLockFile(path: string, contract: Contract): boolean {
  const text = toLockText(contract)
  if (existsSync(path) && readFileSync(path, 'utf8') === text) return false
  writeFileSync(path, text)
  return true
}
