import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The root folder of the repository. */
export const root = dirname(dirname(fileURLToPath(import.meta.url)))

/** The environment of every tool that is started, with telemetry turned off. */
export const quietEnvironment = {
  ...process.env,
  DO_NOT_TRACK: '1',
  NEXT_TELEMETRY_DISABLED: '1',
  TURBO_TELEMETRY_DISABLED: '1',
  TURBO_NO_UPDATE_NOTIFIER: '1',
}

/** The examples that `npm start` runs in one app, as workspaces. */
export const startedExamples = ['hono', 'agent', 'inbox'].map((name) => `@trestle/example-${name}`)

/**
 * Runs a command in the root folder.
 *
 * @param {readonly string[]} args - The arguments of the command.
 * @param {{ env?: NodeJS.ProcessEnv, quiet?: boolean, cwd?: string }} [options] - With `quiet`, output is only shown if
 * the command fails; `cwd` is another folder to run it in.
 * @returns {boolean} Whether it exited with status 0.
 */
export function run(command, args, { env = quietEnvironment, quiet = false, cwd = root } = {}) {
  const { status, stdout, stderr, error } = spawnSync(command, args, {
    cwd,
    env,
    stdio: quiet ? 'pipe' : 'inherit',
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  })
  if (status === 0) return true
  if (quiet) process.stderr.write(`${stdout ?? ''}${stderr ?? ''}`)
  if (error) process.stderr.write(`${command}: ${error.message}\n`)
  return false
}

/**
 * Installs missing packages and builds workspaces, skipping what is already up to date.
 *
 * @param {readonly string[]} [filters] - The workspaces to build, including their dependencies. The default is all
 * packages.
 * @returns {boolean} Whether all steps succeeded.
 */
export function prepare(filters = ['./packages/*']) {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
  if (major < 20 || (major === 20 && minor < 19)) {
    process.stderr.write(`Node 20.19 or later is needed; this is ${process.versions.node}.\n`)
    return false
  }
  if (!isInstalled()) {
    process.stdout.write('Installing packages ...\n')
    if (!install()) return false
  }
  process.stdout.write('Building ...\n')
  const turbo = join(root, 'node_modules', '.bin', 'turbo')
  const chosen = filters.map((filter) => `--filter=${filter}`)
  return run(turbo, ['run', 'build', '--output-logs=errors-only', '--concurrency=2', ...chosen], { quiet: true })
}

function install() {
  const options = ['--include=dev', '--no-fund', '--no-audit']
  const { status } = spawnSync('npm', ['ci', ...options], { cwd: root, env: quietEnvironment, stdio: 'ignore' })
  // A registry that lacks the packages for other platforms produces a lock file that npm ci rejects and npm install
  // accepts.
  return status === 0 || run('npm', ['install', '--no-save', ...options], { quiet: true })
}

/** Returns whether all packages in the lock file are installed in the right version. */
function isInstalled() {
  const installed = readPackages(join(root, 'node_modules', '.package-lock.json'))
  if (!installed) return false
  return Object.entries(readPackages(join(root, 'package-lock.json')) ?? {}).every(
    ([path, { version, link, optional, devOptional, peer }]) =>
      !path.includes('node_modules/') ||
      link ||
      optional ||
      devOptional ||
      peer ||
      installed[path]?.version === version,
  )
}

function readPackages(file) {
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')).packages : undefined
}
