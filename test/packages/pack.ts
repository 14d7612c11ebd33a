import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { type Package, root } from '../repository.ts'

/** A package as npm would publish it. */
export interface Tarball {
  readonly path: string
  /** The paths of its files. */
  readonly files: readonly string[]
}

interface Packed {
  readonly name: string
  readonly filename: string
  readonly files: readonly { readonly path: string }[]
}

/**
 * Packs packages as npm would publish them.
 *
 * @returns The tarballs by package name.
 */
export async function pack(packages: readonly Package[], folder: string): Promise<ReadonlyMap<string, Tarball>> {
  const args = ['pack', '--json', '--ignore-scripts', '--pack-destination', folder, ...packages.map(({ path }) => path)]
  const { stdout } = await promisify(execFile)('npm', args, { cwd: root })
  // npm 10 prints a list, npm 11 an object by name.
  const packed = Object.values(JSON.parse(stdout) as Readonly<Record<string, Packed>>)
  return new Map(
    packed.map(({ name, filename, files }) => [
      name,
      { path: join(folder, filename), files: files.map(({ path }) => path) },
    ]),
  )
}
