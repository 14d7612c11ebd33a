import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { installOnce } from '../install-once.ts'
import { packages, withDependencies } from '../repository.ts'
import { programOf } from './install-runtimes.ts'

/** The core's external imports. */
const own = Object.fromEntries(
  packages
    .filter(({ folder }) => withDependencies(['core']).includes(folder))
    .flatMap(({ file }) => Object.entries(file.dependencies ?? {}))
    .filter(([name]) => !name.startsWith('@trestle/')),
)

const dependencies = {
  vite: {
    '@react-router/dev': '8.4.0',
    '@react-router/express': '8.4.0',
    '@react-router/node': '8.4.0',
    '@sveltejs/adapter-node': '6.0.1',
    '@sveltejs/kit': '3.2.0',
    '@sveltejs/vite-plugin-svelte': '7.3.1',
    express: '5.3.0',
    isbot: '5.2.3',
    react: '19.3.1',
    'react-dom': '19.3.1',
    'react-router': '8.4.0',
    svelte: '5.57.3',
    vite: '8.3.8',
  },
  nuxt: { nuxt: '4.5.2' },
  // Depends on Fastify 4.
  'nest-10': nest('10.4.22', '10.4.22'),
  'nest-11': nest('11.2.10', '11.2.8'),
}

function nest(version: string, onFastify: string): Readonly<Record<string, string>> {
  const others = { '@nestjs/core': version, '@nestjs/platform-express': version, '@nestjs/platform-fastify': onFastify }
  return { '@nestjs/common': version, ...others, 'reflect-metadata': '0.2.2', rxjs: '7.8.2' }
}

/** The frameworks that are installed together. */
export type FrameworkSet = keyof typeof dependencies

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url))
const environment = {
  ...process.env,
  PATH: `${dirname(programOf('Node 22'))}${delimiter}${process.env['PATH']}`,
  NUXT_TELEMETRY_DISABLED: '1',
}

/** Runs an npm program with Node 22, which the newest frameworks require. */
export async function runOnNode22(folder: string, ...args: readonly string[]): Promise<void> {
  await promisify(execFile)(programOf('Node 22'), args, { cwd: folder, env: environment, maxBuffer: 64 * 1024 * 1024 })
}

/** Installs frameworks into a folder once, and copies our built packages with their dependencies into it each time. */
export async function installFrameworks(set: FrameworkSet, folders: readonly string[]): Promise<string> {
  const manifest = { private: true, type: 'module', dependencies: { ...dependencies[set], ...own } }
  const version = createHash('sha256').update(JSON.stringify(manifest)).digest('hex').slice(0, 12)
  const folder = join(tmpdir(), `trestle-newest-${version}`)
  const modules = join(folder, 'node_modules')
  const isInstalled = (): boolean => existsSync(join(modules, '.package-lock.json'))
  await installOnce({ folder, manifest, env: environment, isInstalled })
  for (const name of withDependencies(folders))
    for (const part of ['package.json', 'dist'])
      cpSync(here(`../../packages/${name}/${part}`), join(modules, '@trestle', name, part), { recursive: true })
  return folder
}

/** The file with the workflows of the vectors. */
export const vectorWorkflows: string = here('../../packages/testing/src/conformance/vector-workflows.ts')

/**
 * Writes an app into a folder of frameworks, with the workflows of the vectors in a separate file; returns the app's
 * folder.
 */
export function copyApp(folder: string, app: string, workflows: string): string {
  const target = join(folder, app)
  cpSync(here(`newest/${app}`), target, { recursive: true })
  writeFileSync(join(target, workflows), readFileSync(vectorWorkflows, 'utf8'))
  return target
}

/**
 * Copies an app of the conformance suite into a folder of frameworks, with the same packages that the suite loads.
 *
 * @param files - Files that differ in the newer version; `null` omits a file.
 * @returns The app's folder, for the suite.
 */
export function copySuiteApp(folder: string, app: string, files: Readonly<Record<string, string | null>>): string {
  const target = join(folder, `suite-${app}`)
  rmSync(target, { recursive: true, force: true })
  cpSync(here(`../conformance/${app}`), target, { recursive: true })
  rmSync(join(target, 'build'), { recursive: true, force: true })
  for (const [name, text] of Object.entries(files)) {
    if (text === null) rmSync(join(target, name))
    else writeFileSync(join(target, name), text)
  }
  const scope = join(target, 'node_modules', '@trestle')
  mkdirSync(scope, { recursive: true })
  for (const name of ['core', 'react-router', 'sveltekit'])
    symlinkSync(here(`../../packages/${name}`), join(scope, name))
  return target
}
