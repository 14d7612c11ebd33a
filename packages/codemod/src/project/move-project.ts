import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, relative, resolve, sep } from 'node:path'
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

/** A `package.json` of the project. */
interface Workspace {
  readonly path: string
  /** Whether it asks for the former package. */
  readonly isAsking: boolean
  /** The packages that the files below it import. */
  readonly packages: Set<string>
}

/**
 * Moves a project: its sources, its `.env` files and each `package.json`. Folders whose names begin with a dot, and those
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
  // Whole, so that each file begins with the folders it lies in, whatever the project's was called by.
  const root = resolve(folder)
  const workspaces = findWorkspaces(root)
  const take = (path: string, move: (text: string) => { text: string; remarks?: readonly Remark[] }): void => {
    const text = readFileSync(path, 'utf8')
    const { text: next, remarks = [] } = move(text)
    if (next !== text && !isDry) writeFileSync(path, next)
    if (next !== text || remarks.length > 0)
      files.push({ path: relative(root, path), isChanged: next !== text, remarks })
  }
  for (const path of findFiles(root, isSourceName))
    take(path, (text) => {
      const moved = trySource(text, path)
      for (const name of moved.packages) workspaceOf(workspaces, path)?.packages.add(name)
      return moved
    })
  for (const path of findFiles(root, isEnvironmentName)) take(path, (text) => ({ text: moveVariables(text) }))
  for (const { path, packages } of workspaces) take(path, (text) => tryPackage(text, [...packages], version))
  return files
}

function findWorkspaces(folder: string): readonly Workspace[] {
  return [...findFiles(folder, (name) => name === 'package.json')].map((path) => ({
    path,
    isAsking: readFileSync(path, 'utf8').includes('"@novu/framework"'),
    packages: new Set<string>(),
  }))
}

/** The nearest above a file that asks for the former package: in a monorepo that may be the root. */
function workspaceOf(workspaces: readonly Workspace[], file: string): Workspace | undefined {
  return workspaces
    .filter(({ path, isAsking }) => isAsking && file.startsWith(dirname(path) + sep))
    .sort((left, right) => right.path.length - left.path.length)[0]
}

function tryPackage(text: string, packages: readonly string[], version: string): ReturnType<typeof movePackage> {
  try {
    return movePackage(text, packages, version)
  } catch (error) {
    return { text, remarks: [unreadable(error)] }
  }
}

function unreadable(error: unknown): Remark {
  const why = error instanceof Error ? error.message : String(error)
  return { line: 0, text: `It cannot be read, and was left as it is. ${why}` }
}

function trySource(text: string, path: string): ReturnType<typeof moveSource> {
  try {
    return moveSource(text, path)
  } catch (error) {
    return { text, packages: [], remarks: [unreadable(error)] }
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
