import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { moveVariables } from '../moves/settings.ts'
import type { Remark } from '../moves/source.ts'
import { movePackage } from './move-package.ts'
import { moveSource } from './move-source.ts'

/** A file that was changed or remarked on. */
export interface MovedFile {
  /** Its path in the project. */
  readonly path: string
  /** Whether its text changed. */
  readonly isChanged: boolean
  /** What a person has to look at. */
  readonly remarks: readonly Remark[]
}

/** How a project is moved. */
export interface MoveOptions {
  /** Whether nothing is written. @default false */
  readonly isDry?: boolean
  /** The version of the packages that are asked for. */
  readonly version: string
}

const leftOut = new Set(['node_modules', 'dist', 'build', 'out', 'coverage'])
const isSourceName = (name: string): boolean => /\.[cm]?[jt]sx?$/.test(name) && !/\.d\.[cm]?ts$/.test(name)
const isEnvironmentName = (name: string): boolean => /^\.env(\..+)?$/.test(name)

/**
 * Moves a project: its sources, its `.env` files and its `package.json`. Folders whose names begin with a dot, and those
 * of packages and builds, are left alone.
 *
 * @param folder - The project.
 * @param options - How.
 * @returns The files that were changed or remarked on, by path.
 * @throws Error - A file cannot be read or written.
 * @example
 * moveProject('.', { version: '0.1.0', isDry: true })
 */
export function moveProject(folder: string, { isDry = false, version }: MoveOptions): readonly MovedFile[] {
  const files: MovedFile[] = []
  const packages = new Set<string>()
  const take = (path: string, move: (text: string) => { text: string; remarks?: readonly Remark[] }): void => {
    const text = readFileSync(path, 'utf8')
    const { text: next, remarks = [] } = move(text)
    if (next !== text && !isDry) writeFileSync(path, next)
    if (next !== text || remarks.length > 0)
      files.push({ path: relative(folder, path), isChanged: next !== text, remarks })
  }
  for (const path of findFiles(folder, isSourceName))
    take(path, (text) => {
      const moved = trySource(text, path)
      for (const name of moved.packages) packages.add(name)
      return moved
    })
  for (const path of findFiles(folder, isEnvironmentName)) take(path, (text) => ({ text: moveVariables(text) }))
  const packageFile = join(folder, 'package.json')
  if (existsSync(packageFile)) take(packageFile, (text) => ({ text: movePackage(text, [...packages], version) }))
  return files
}

function trySource(text: string, path: string): ReturnType<typeof moveSource> {
  try {
    return moveSource(text, path)
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    return { text, packages: [], remarks: [{ line: 0, text: `It cannot be read, and was left as it is. ${why}` }] }
  }
}

function* findFiles(folder: string, isWanted: (name: string) => boolean): Iterable<string> {
  for (const entry of readdirSync(folder, { withFileTypes: true }).sort((left, right) =>
    left.name < right.name ? -1 : 1,
  )) {
    const path = join(folder, entry.name)
    if (entry.isDirectory() && !leftOut.has(entry.name) && !entry.name.startsWith('.')) yield* findFiles(path, isWanted)
    if (entry.isFile() && isWanted(entry.name)) yield path
  }
}
