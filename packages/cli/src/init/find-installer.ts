import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { isObject } from '@trestle/protocol'
import { readText } from '../base/read-text.ts'

/** The package manager of an app, with its commands. */
export interface Installer {
  /** Installs the dependencies of `package.json`. */
  readonly install: string
  /** Runs a script of `package.json`; its name is appended. */
  readonly run: string
  /** Runs a package's program; its name is appended. */
  readonly exec: string
  /** A settings file for new apps outside a workspace. */
  readonly settings?: { readonly path: string; readonly text: string }
}

type Env = Readonly<Record<string, string | undefined>>
type Name = 'npm' | 'pnpm' | 'yarn' | 'bun'

const installers: Readonly<Record<Name, Installer>> = {
  npm: { install: 'npm install', run: 'npm run', exec: 'npx' },
  pnpm: { install: 'pnpm install', run: 'pnpm run', exec: 'pnpm exec' },
  yarn: { install: 'yarn install', run: 'yarn run', exec: 'yarn run' },
  bun: { install: 'bun install', run: 'bun run', exec: 'bunx' },
}

/**
 * Since version 11, pnpm fails unless the settings ignore the install script of esbuild, which is not needed; version 9
 * requires `packages`.
 */
const pnpmSettings = { path: 'pnpm-workspace.yaml', text: 'packages:\n  - .\nallowBuilds:\n  esbuild: false\n' }

const lockFiles: readonly (readonly [file: string, name: Name])[] = [
  ['pnpm-lock.yaml', 'pnpm'],
  ['pnpm-workspace.yaml', 'pnpm'],
  ['yarn.lock', 'yarn'],
  ['bun.lock', 'bun'],
  ['bun.lockb', 'bun'],
  ['package-lock.json', 'npm'],
]

/**
 * Returns the package manager of a folder, based on the nearest lock file up to the repository root. Without a lock
 * file, it is the one that started this process.
 *
 * @param folder - The folder, which does not have to exist yet.
 * @param env - The environment. @default that of the process
 */
export function findInstaller(folder: string, env: Env = process.env): Installer {
  const installer =
    lockFiles.find(([file]) => existsSync(join(folder, file)))?.[1] ?? nameIn(join(folder, 'package.json'))
  if (installer) return installers[installer]
  const above = dirname(folder)
  return above === folder || existsSync(join(folder, '.git')) ? caller(env) : findInstaller(above, env)
}

/** Detects `pnpm dlx`, `yarn dlx` and `bunx`, which set the same variable as npm; npm may not be installed then. */
function caller({ npm_config_user_agent: agent = '' }: Env): Installer {
  const [name = ''] = agent.split('/')
  if (name === 'pnpm') return { ...installers.pnpm, settings: pnpmSettings }
  return isName(name) ? installers[name] : installers.npm
}

const isName = (name: string): name is Name => Object.hasOwn(installers, name)

/** Reads the field that Corepack uses. */
function nameIn(path: string): Name | undefined {
  try {
    const file: unknown = JSON.parse(readText(path))
    const [name = ''] =
      isObject(file) && typeof file['packageManager'] === 'string' ? file['packageManager'].split('@') : []
    return isName(name) ? name : undefined
  } catch {
    return undefined
  }
}
