import { execFile } from 'node:child_process'
import { createHash, type Hash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { root, withDependencies } from './repository.ts'
import { withLock } from './with-lock.ts'

/** An app that a framework's own tool must build before a test can serve it. */
export interface App {
  /** Its folder, relative to the root. */
  readonly folder: string
  /** The tool and its arguments: a program in `node_modules`. */
  readonly build: readonly [program: string, ...args: string[]]
  /** An output file, relative to its folder. */
  readonly output: string
  readonly env?: Readonly<Record<string, string>>
  /** The packages of this repository that it bundles; their dependencies are added. */
  readonly packages: readonly string[]
}

const outputs = /^(?:build|node_modules|\.next.*|next-env\.d\.ts|\.svelte-kit|\.react-router)$/

/** Builds an app, unless it was already built from the same sources, packages and versions. */
export async function buildApp(app: App): Promise<void> {
  const [program, ...args] = app.build
  const name = createHash('sha256').update(JSON.stringify(app)).digest('hex').slice(0, 16)
  const stamp = join(root, 'node_modules/.cache/trestle-apps', name)
  await withLock(`${stamp}.lock`, async () => {
    const sources = hashOf(app)
    const isBuilt = existsSync(join(root, app.folder, app.output)) && existsSync(stamp)
    if (isBuilt && readFileSync(stamp, 'utf8') === sources) return
    const { VITEST: _, NODE_ENV: __, ...inherited } = process.env
    const env = { ...inherited, ...app.env, NODE_ENV: 'production', NEXT_TELEMETRY_DISABLED: '1' } as NodeJS.ProcessEnv
    const options = { cwd: join(root, app.folder), env, maxBuffer: 64 * 1024 * 1024 }
    await promisify(execFile)(process.execPath, [join(root, 'node_modules', program), ...args], options)
    writeFileSync(stamp, sources)
  })
}

function hashOf({ folder, packages }: App): string {
  const hash = createHash('sha256').update(readFileSync(join(root, 'package-lock.json')))
  addFiles(hash, join(root, folder))
  for (const name of withDependencies(packages)) addFiles(hash, join(root, 'packages', name, 'dist'))
  return hash.digest('hex')
}

function addFiles(hash: Hash, folder: string): void {
  for (const entry of readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1))) {
    if (outputs.test(entry.name)) continue
    const path = join(folder, entry.name)
    if (entry.isDirectory()) addFiles(hash, path)
    else hash.update(path).update(readFileSync(path))
  }
}
