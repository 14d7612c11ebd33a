import { resolve } from 'node:path'
import { isObject } from '@trestle/protocol'
import { readText } from '../base/read-text.ts'
import { UsageError } from './usage-error.ts'

/**
 * Parses a JSON object from the command line: the text itself, or `@FILE` for a file.
 *
 * @throws {UsageError} It cannot be read, or is not a JSON object.
 */
export function parseJsonArgument(name: string, text: string, cwd: string): Readonly<Record<string, unknown>> {
  const source = text.startsWith('@') ? readArgument(name, resolve(cwd, text.slice(1))) : text
  let value: unknown
  try {
    value = JSON.parse(source)
  } catch (error) {
    throw new UsageError(`--${name} is not valid JSON: ${error instanceof Error ? error.message : String(error)}`)
  }
  if (!isObject(value)) throw new UsageError(`--${name} must be a JSON object, such as '{ "id": 7 }'.`)
  return value
}

function readArgument(name: string, path: string): string {
  try {
    return readText(path)
  } catch (error) {
    throw new UsageError(
      `--${name} names a file that cannot be read: ${error instanceof Error ? error.message : String(error)}`,
    )
  }
}
