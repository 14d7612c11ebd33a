import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The root of the repository. */
export const root: string = fileURLToPath(new URL('..', import.meta.url))

/** The fields of a `package.json` that are read. */
export interface PackageFile {
  readonly name: string
  readonly version: string
  readonly private?: boolean
  readonly exports: Readonly<Record<string, unknown>>
  /** Whether importing its files has side effects; a list names the files that do. */
  readonly sideEffects?: boolean | readonly string[]
  /** The packed files other than `package.json`. */
  readonly files: readonly string[]
  readonly dependencies?: Readonly<Record<string, string>>
  readonly peerDependencies?: Readonly<Record<string, string>>
}

/** A package of the repository. */
export interface Package {
  /** The folder name. */
  readonly folder: string
  readonly path: string
  readonly file: PackageFile
}

/** The packages that are published. */
export const packages: readonly Package[] = readdirSync(join(root, 'packages'))
  .map((folder) => ({ folder, path: join(root, 'packages', folder) }))
  .map((entry) => ({ ...entry, file: readJson(join(entry.path, 'package.json')) as PackageFile }))
  .filter(({ file }) => !file.private)

/** Returns folders of packages together with those of their direct and indirect dependencies. */
export function withDependencies(folders: readonly string[]): readonly string[] {
  const all = new Set(folders)
  for (const folder of all) {
    const { dependencies = {} } = packages.find((one) => one.folder === folder)?.file ?? {}
    for (const { folder: other, file } of packages) if (Object.hasOwn(dependencies, file.name)) all.add(other)
  }
  return [...all]
}

/** Reads a JSON file. */
export function readJson(path: string): unknown {
  return JSON.parse(readFileSync(path, 'utf8'))
}
