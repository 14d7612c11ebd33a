import { existsSync, readdirSync } from 'node:fs'
import { basename } from 'node:path'
import { version } from '../base/version.ts'
import { CommandError } from '../terminal/command-error.ts'
import { type FileStyle, serverFile, tsconfigFile, workflowsFile } from './app-files.ts'
import type { Installer } from './find-installer.ts'
import { type InitPlan, versions } from './plan.ts'

/**
 * Plans a new app.
 *
 * @param folder - Its folder; it need not be there yet.
 * @param installer - What installs its packages and runs its scripts.
 * @throws {CommandError} The folder holds files.
 */
export function planNew(folder: string, { run, settings }: Installer): InitPlan {
  const there = existsSync(folder)
    ? readdirSync(folder).filter((name) => !name.startsWith('.') && !/^(readme|license)/i.test(name))
    : []
  if (there.length > 0)
    throw new CommandError(
      `There is no package.json, and the folder is not empty: it holds ${there.slice(0, 5).join(', ')}.`,
      {
        fix: 'Run it in the folder of an app, or name an empty one: trestle init my-app.',
      },
    )
  const own = version()
  const pick = (...names: string[]): Record<string, string> =>
    Object.fromEntries(names.map((name) => [name, versions[name] ?? own]))
  const file = {
    name:
      basename(folder)
        .toLowerCase()
        .replaceAll(/[^a-z0-9._-]+/g, '-')
        .replace(/^[._-]+/, '') || 'notifications',
    private: true,
    type: 'module',
    scripts: {
      dev: `trestle dev --run "${run} serve"`,
      serve: 'tsx watch src/server.ts',
      start: 'tsx src/server.ts',
      check: 'tsc',
    },
    dependencies: pick('@hono/node-server', '@trestle/core', '@trestle/hono', 'hono', 'zod'),
    devDependencies: pick('@trestle/cli', '@types/node', 'tsx', 'typescript'),
  }
  const style: FileStyle = { ending: 'ts', isCommonJs: false, hasZod: true }
  const files = [
    ['package.json', `${JSON.stringify(file, null, 2)}\n`],
    ['tsconfig.json', tsconfigFile],
    ['.gitignore', 'node_modules/\n.trestle/\n.env*\n'],
    ['src/server.ts', serverFile],
    ['src/workflows.ts', workflowsFile(style)],
  ] as const
  const all = [...files.map(([path, text]) => ({ path, text })), ...(settings ? [settings] : [])]
  return { framework: 'new', manual: [], isDone: false, files: all.map((file) => ({ ...file, isChange: false })) }
}
