import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../repository.ts'
import { temporaryFolder } from './service-command.ts'

/**
 * The commit to upgrade from: that of the environment variable UPGRADE_FROM, or the one before the current one.
 * Undefined outside a clone, or if the clone has no earlier commit.
 */
export const previousCommit: string | undefined = findPrevious()

function findPrevious(): string | undefined {
  try {
    return execFileSync('git', ['rev-parse', '--verify', process.env['UPGRADE_FROM'] ?? 'HEAD^'], {
      ...{ cwd: root, encoding: 'utf8' },
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim()
  } catch (error) {
    if (process.env['UPGRADE_FROM'] !== undefined) throw error
    return undefined
  }
}

/**
 * Builds the service of a commit in a temporary folder, with the installed packages of this one, and returns the path of
 * its command.
 *
 * @param commit - The commit.
 */
export function buildCommit(commit: string): string {
  const folder = temporaryFolder()
  const archive = execFileSync('git', ['archive', commit], { cwd: root, maxBuffer: 1024 ** 3 })
  execFileSync('tar', ['-x'], { cwd: folder, input: archive, stdio: ['pipe', 'ignore', 'inherit'] })
  linkInstalled(folder)
  const turbo = join(root, 'node_modules/.bin/turbo')
  const cache = `--cache-dir=${join(root, '.turbo/cache')}`
  execFileSync(turbo, ['run', 'build', '--filter=./packages/service', cache], { cwd: folder, stdio: 'ignore' })
  return join(folder, 'packages/service/dist/bin.js')
}

/** Links all installed packages, but the packages of the repository from the folder itself. */
function linkInstalled(folder: string): void {
  const own = '@trestle'
  mkdirSync(join(folder, 'node_modules', own), { recursive: true })
  for (const name of readdirSync(join(root, 'node_modules')))
    if (name !== own) symlinkSync(join(root, 'node_modules', name), join(folder, 'node_modules', name))
  for (const name of readdirSync(join(folder, 'packages'))) {
    symlinkSync(join(folder, 'packages', name), join(folder, 'node_modules', own, name))
    const nested = join(root, 'packages', name, 'node_modules')
    if (existsSync(nested)) symlinkSync(nested, join(folder, 'packages', name, 'node_modules'))
  }
}
