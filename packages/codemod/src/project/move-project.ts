import { accessSync, constants, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, relative, resolve, sep } from 'node:path'
import { moveVariables } from '../moves/settings.ts'
import type { Remark } from '../syntax/source.ts'
import { decode } from './decode.ts'
import { movePackage } from './move-package.ts'
import { checkSchemas, moveSource } from './move-source.ts'
import { findRead, findTaken, kindOf, type ReadFile, withTaken } from './variables.ts'

/** A file that was changed or has remarks. */
export interface MovedFile {
  /** Its path in the project. */
  readonly path: string
  /** Whether its text changed. */
  readonly isChanged: boolean
  /** Places to check by hand. */
  readonly remarks: readonly Remark[]
}

/** Options of a project move. */
export interface MoveOptions {
  /** If true, writes nothing. @default false */
  readonly isDry?: boolean
  /** The version of the packages to depend on. */
  readonly version: string
}

const leftOut = new Set(['node_modules', 'dist', 'build', 'out', 'coverage'])

/** A `package.json` of the project. */
interface Workspace {
  readonly path: string
  /** Whether it depends on the former package. */
  readonly isAsking: boolean
  /** The packages imported by the files below it. */
  readonly packages: Set<string>
}

interface NextFile extends ReadFile {
  readonly next: string
  readonly remarks: readonly Remark[]
}

/**
 * Moves a project: its sources, its `.env` files and each `package.json`. Skips folders whose names start with a dot,
 * and package and build folders.
 *
 * @param folder - The root folder of the project.
 * @returns The files that were changed or have remarks, by path.
 * @throws Error - A file cannot be read or written.
 * @example
 * moveProject('.', { version: '0.1.0', isDry: true })
 */
export function moveProject(folder: string, { isDry = false, version }: MoveOptions): readonly MovedFile[] {
  // Absolute, so that each file path starts with the path of its folder.
  const root = resolve(folder)
  const files = [...readFiles(root)]
  const isAsking = files.some(({ kind, text }) => /source|package/.test(kind) && text.includes('@novu/framework'))
  const takenNames = isAsking ? findTaken(files) : new Set<string>()
  const workspaces = findWorkspaces(files)
  const controls = new Set<string>()
  const moved = filesOf(files, 'source').map((file) => moveOne(file, { taken: takenNames, workspaces, controls }))
  const sources = moved.map((file) => withSchemas(file, controls))
  const packages = filesOf(files, 'package').map((file) => {
    const own = workspaces.find(({ path }) => path === file.path)
    const { text, remarks } = tryPackage(file.text, [...(own?.packages ?? [])], version)
    return keepEncoding({ ...file, next: text, remarks })
  })
  const others = filesOf(files, 'other').map((file) => {
    const isCompiled = isAsking && /tsconfig[^/\\]*\.json$/.test(file.path)
    return {
      ...file,
      next: file.text,
      remarks: [...findNamed(file.text), ...(isCompiled ? checkCompiler(file.text) : [])],
    }
  })
  const read = findRead([...sources, ...packages, ...others, ...filesOf(files, 'setting')])
  const settings = filesOf(files, 'setting').map((file) => {
    const next = isAsking ? moveVariables(file.text, { taken: takenNames, read }) : file.text
    return keepEncoding({ ...file, next, remarks: [] })
  })
  const all: readonly NextFile[] = [...sources, ...settings, ...packages, ...others]
  if (!isDry) writeChanged(all)
  return all.flatMap((file) => {
    const isChanged = hasChanged(file)
    const remarks = withTaken(file, takenNames)
    return isChanged || remarks.length > 0 ? [{ path: relative(root, file.path), isChanged, remarks }] : []
  })
}

const hasChanged = ({ text, next }: NextFile): boolean => next !== text

/** Keeps a file that would have to be written in another encoding. */
function keepEncoding(file: NextFile): NextFile {
  if (file.isUtf8 || !hasChanged(file)) return file
  const text = 'It is not UTF-8 and was not changed. Save it as UTF-8, and run this again.'
  return { ...file, next: file.text, remarks: [{ line: 0, text }] }
}

/** Writes nothing if a file is read-only: a second run could not tell which packages the files needed. */
function writeChanged(files: readonly NextFile[]): void {
  const changed = files.filter(hasChanged)
  for (const { path } of changed) {
    try {
      accessSync(path, constants.W_OK)
    } catch (cause) {
      const reason = cause instanceof Error ? cause.message : cause
      throw new Error(`${path} cannot be written, so no file was changed. ${reason}`, { cause })
    }
  }
  for (const { path, next } of changed) writeFileSync(path, next)
}

/** Returns remarks on the former package in components and type declarations, which are not parsed. */
function findNamed(text: string): readonly Remark[] {
  return text.split('\n').flatMap((line, index) => {
    const [name] = /(?<=['"`])@novu\/framework[\w/]*(?=['"`])/.exec(line) ?? []
    const message = `"${name}" is named here and no longer exists. Files of this type are not changed.`
    return name === undefined ? [] : [{ line: index + 1, text: message }]
  })
}

/** Returns a remark on the compiler's oldest module resolution, which ignores the `exports` of packages. */
function checkCompiler(text: string): readonly Remark[] {
  const chosenAt = text.search(/"moduleResolution"\s*:\s*"(?:node|node10|classic)"/i)
  // Without another setting, CommonJS implies the oldest resolution.
  const impliedAt = /"(?:moduleResolution|extends)"/.test(text) ? -1 : text.search(/"module"\s*:\s*"commonjs"/i)
  const at = Math.max(chosenAt, impliedAt)
  if (at === -1) return []
  const who = at === chosenAt ? 'TypeScript' : 'TypeScript before version 6'
  const advice = `With this setting, ${who} does not find the types of @trestle/core/novu: set "module" to "nodenext" and remove "moduleResolution", or set "moduleResolution" to "bundler".`
  return [{ line: text.slice(0, at).split('\n').length, text: advice }]
}

const filesOf = (files: readonly ReadFile[], kind: ReadFile['kind']): readonly ReadFile[] =>
  files.filter((file) => file.kind === kind)

interface Project {
  readonly taken: ReadonlySet<string>
  readonly workspaces: readonly Workspace[]
  /** Names of control schemas that files import from other files. */
  readonly controls: Set<string>
}

function moveOne(file: ReadFile, { taken, workspaces, controls }: Project): NextFile {
  const { text, remarks, packages, controls: own } = trySource(file, taken)
  for (const name of own) controls.add(name)
  for (const name of packages) workspaceOf(workspaces, file.path)?.packages.add(name)
  return keepEncoding({ ...file, next: text, remarks })
}

/**
 * Returns a file with additional remarks on schemas, which are also checked in files that do not import the former
 * package.
 */
function withSchemas(file: NextFile, controls: ReadonlySet<string>): NextFile {
  try {
    const remarkTexts = file.remarks.map(({ line, text }) => `${line}: ${text}`)
    const others = checkSchemas(file.text, file.path, controls).filter(
      ({ line, text }) => !remarkTexts.includes(`${line}: ${text}`),
    )
    return { ...file, remarks: [...file.remarks, ...others] }
  } catch {
    return file
  }
}

function findWorkspaces(files: readonly ReadFile[]): readonly Workspace[] {
  return filesOf(files, 'package').map(({ path, text }) => ({
    path,
    isAsking: text.includes('"@novu/framework"'),
    packages: new Set<string>(),
  }))
}

/** Returns the nearest parent workspace that depends on the former package; in a monorepo this can be the root. */
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
  return { line: 0, text: `It cannot be read and was not changed. ${why}` }
}

function trySource({ text, path }: ReadFile, takenNames: ReadonlySet<string>): ReturnType<typeof moveSource> {
  try {
    return moveSource(text, path, takenNames)
  } catch (error) {
    return { text, packages: [], controls: [], remarks: [unreadable(error)] }
  }
}

function* readFiles(folder: string): Generator<ReadFile> {
  for (const entry of readdirSync(folder, { withFileTypes: true }).sort((left, right) =>
    left.name < right.name ? -1 : 1,
  )) {
    const path = join(folder, entry.name)
    if (entry.isDirectory() && !leftOut.has(entry.name) && !entry.name.startsWith('.')) yield* readFiles(path)
    const kind = entry.isFile() ? kindOf(entry.name) : undefined
    if (kind) yield { path, kind, ...decode(readFileSync(path)) }
  }
}
