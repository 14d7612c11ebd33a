import { existsSync, readdirSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { AppPackage } from '../app/read-package.ts'
import { version } from '../base/version.ts'
import { CommandError } from '../terminal/command-error.ts'
import {
  buildConfigFile,
  type FileStyle,
  ignoreFile,
  productionFile,
  serverFile,
  tsconfigFile,
  workflowsFile,
} from './app-files.ts'
import type { Installer } from './find-installer.ts'
import { addToPackage } from './package-file.ts'
import { type InitPlan, type PlannedFile, readToChange, versions } from './plan.ts'

const dependencies = ['@hono/node-server', '@trestle/core', '@trestle/hono', 'hono', 'zod']
const devDependencies = ['@trestle/cli', '@types/node', 'tsx', 'typescript']
/** Files that exist in a folder without code. */
const noCode =
  /^(\..*|readme.*|license.*|node_modules|package\.json|package-lock\.json|yarn\.lock|pnpm-lock\.yaml|bun\.lockb?)$/i

/** Returns whether a folder contains only a `package.json`, as after `npm init` or after installing the CLI. */
export function isBegun(folder: string, app: AppPackage): boolean {
  const ours = new Set([...dependencies, ...devDependencies])
  return (
    !app.hasWorkspaces &&
    app.dependencies.every((name) => ours.has(name) || name.startsWith('@trestle/')) &&
    readdirSync(folder).every((name) => noCode.test(name))
  )
}

/**
 * Plans a new app. An existing `package.json` is kept, but changed to ES modules.
 *
 * @param folder - The folder of the app, which does not have to exist yet.
 * @param installer - The package manager.
 * @throws {CommandError} The folder contains files.
 */
export function planNew(folder: string, { run, settings }: Installer): InitPlan {
  const there = existsSync(folder) ? readdirSync(folder).filter((name) => !noCode.test(name)) : []
  if (there.length > 0)
    throw new CommandError(
      `The folder has no package.json but is not empty: it contains ${there.slice(0, 5).join(', ')}.`,
      {
        fix: 'Run it in the folder of an app, or name an empty folder: trestle init my-app.',
      },
    )
  const style: FileStyle = { ending: 'ts', isCommonJs: false, hasZod: true }
  const files = [
    ['tsconfig.json', tsconfigFile],
    ['tsconfig.build.json', buildConfigFile],
    ['.gitignore', ignoreFile],
    ['production.env', productionFile],
    ['src/server.ts', serverFile],
    ['src/workflows.ts', workflowsFile(style)],
  ] as const
  const all = [...files.map(([path, text]) => ({ path, text })), ...(settings ? [settings] : [])]
  return {
    ...{ framework: 'new', manual: [], isDone: false, devScript: 'dev' },
    files: [packageFile(folder, run), ...all.map((file) => ({ ...file, isChange: false }))],
  }
}

function packageFile(folder: string, run: string): PlannedFile {
  const path = 'package.json'
  const isChange = existsSync(join(folder, path))
  const name = basename(folder)
    .toLowerCase()
    .replaceAll(/[^a-z0-9._-]+/g, '-')
    .replace(/^[._-]+/, '')
  const file = { name: name || 'notifications', private: true }
  const before = isChange ? readToChange(folder, path) : `${JSON.stringify(file, null, 2)}\n`
  const own = version()
  const pick = (names: readonly string[]): Record<string, string> =>
    Object.fromEntries(names.map((one) => [one, versions[one] ?? own]))
  const text = addToPackage(before, {
    type: 'module',
    scripts: {
      dev: `trestle dev --run "${run} serve"`,
      serve: 'tsx watch src/server.ts',
      build: 'tsc -p tsconfig.build.json',
      start: 'node --env-file=production.env dist/server.js',
      check: 'tsc --noEmit',
    },
    dependencies: pick(dependencies),
    devDependencies: pick(devDependencies),
  })
  return { path, text, isChange }
}
