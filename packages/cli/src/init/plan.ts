import { isUtf8 } from 'node:buffer'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { CommandError } from '../terminal/command-error.ts'

/** A file to write. */
export interface PlannedFile {
  /** Its path within the app's folder. */
  readonly path: string
  readonly text: string
  /** Whether it modifies an existing file. */
  readonly isChange: boolean
}

/** The planned actions of `trestle init`. */
export interface InitPlan {
  readonly framework: 'express' | 'hono' | 'next' | 'vite' | 'new'
  readonly files: readonly PlannedFile[]
  /** Lines of code to add by hand, by file, if a file cannot be changed safely. */
  readonly manual: readonly { readonly file: string; readonly lines: readonly string[]; readonly why: string }[]
  /** Whether the app already has what the plan would add. */
  readonly isDone: boolean
  /** Other changes that the app needs. */
  readonly advice?: string
  /** The script in `package.json` that starts the app with the local service, if there is one. */
  readonly devScript?: string
  /** The command that starts the app with the local service, if no script does. */
  readonly startCommand?: string
  /** How to see a first message. @default triggers the workflow that was added */
  readonly trial?: { readonly title: string; readonly command: string }
  /** The file that already mounts the bridge. */
  readonly mountedIn?: string
}

/** The versions of added packages. */
export const versions: Readonly<Record<string, string>> = Object.freeze({
  '@hono/node-server': '^2.1.8',
  hono: '^4.13.19',
  zod: '^4.6.7',
  tsx: '^4.23.15',
  typescript: '^6.0.3',
  '@types/node': '^20.19.25',
})

/**
 * Reads a file that a plan changes, with its byte order mark.
 *
 * @throws {CommandError} It is not UTF-8, so writing it would corrupt it.
 */
export function readToChange(folder: string, path: string): string {
  const bytes = readFileSync(join(folder, path))
  if (isUtf8(bytes)) return bytes.toString()
  throw new CommandError(`${path} is not UTF-8 and was not changed.`, { fix: 'Save it as UTF-8, and run this again.' })
}
