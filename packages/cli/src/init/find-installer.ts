import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { isRecord } from '../base/is-record.ts'
import { readText } from '../base/read-text.ts'

/** The program that installs the packages of an app, and how it runs things. */
export interface Installer {
  /** Installs what `package.json` asks for. */
  readonly install: string
  /** Runs a script of `package.json`, whose name is put behind it. */
  readonly run: string
  /** Runs a program of a package, whose name is put behind it. */
  readonly exec: string
  /** A file that it needs in a new app which belongs to no workspace. */
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

/** From version 11 on pnpm fails until it is told about esbuild, whose script is not needed; version 9 asks for `packages`. */
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
 * Returns the program that installs packages in a folder, by the nearest lock file: in a workspace it lies further up. A
 * repository's folder is the last that is looked at. Where nothing is known, it is the program that has started this one.
 *
 * @param folder - The folder; it need not be there yet.
 * @param env - The environment. @default that of the process
 */
export function findInstaller(folder: string, env: Env = process.env): Installer {
  const known = lockFiles.find(([file]) => existsSync(join(folder, file)))?.[1] ?? nameIn(join(folder, 'package.json'))
  if (known) return installers[known]
  const above = dirname(folder)
  return above === folder || existsSync(join(folder, '.git')) ? caller(env) : findInstaller(above, env)
}

/** `pnpm dlx`, `yarn dlx` and `bunx` say who they are as npm does; where they are used, npm may not be there at all. */
function caller({ npm_config_user_agent: agent = '' }: Env): Installer {
  const [name = ''] = agent.split('/')
  if (name === 'pnpm') return { ...installers.pnpm, settings: pnpmSettings }
  return isName(name) ? installers[name] : installers.npm
}

const isName = (name: string): name is Name => Object.hasOwn(installers, name)

/** What Corepack goes by. */
function nameIn(path: string): Name | undefined {
  try {
    const file: unknown = JSON.parse(readText(path))
    const [name = ''] =
      isRecord(file) && typeof file['packageManager'] === 'string' ? file['packageManager'].split('@') : []
    return isName(name) ? name : undefined
  } catch {
    return undefined
  }
}
