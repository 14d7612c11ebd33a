import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { quietEnvironment, root, run } from './prepare.mjs'

/** The checks of source text that `npm test` and `npm run nightly` share. */
export const typeChecks = [
  ['Types of the tests', 'test'],
  ['Types that users see', 'test/types'],
]

/** Checks formatting and lints. */
export function lint() {
  return run(join(root, 'node_modules', '.bin', 'biome'), ['check', '.'])
}

/** Checks the English of docs, comments and messages. */
export function prose() {
  return run(process.execPath, [join(root, '.scripts/prose.mjs')])
}

/** Checks the spelling of the documentation against the word list in `packages/docs/words.txt`. */
export function spelling() {
  const cspell = join(root, 'node_modules/cspell/bin.mjs')
  return run(process.execPath, [cspell, '--config', 'packages/docs/cspell.json', '--no-progress', '--no-summary'])
}

/**
 * Checks the types of a project in the background; only what changed since the last check. The output is printed when
 * the check ends.
 *
 * @param {string} project - The folder that contains its `tsconfig.json`.
 * @returns {Promise<boolean>} Whether there are no errors.
 */
export async function checkTypes(project) {
  const compiler = join(root, 'node_modules', 'typescript-7', 'bin', 'tsc')
  const state = join(root, 'node_modules', '.cache', `${project.replaceAll('/', '-')}.tsbuildinfo`)
  const args = [compiler, '-p', project, '--incremental', '--tsBuildInfoFile', state]
  const child = spawn(process.execPath, args, { cwd: root, env: quietEnvironment, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text) => (output += text))
  const status = await new Promise((resolve) => child.once('error', resolve).once('close', resolve))
  process.stdout.write(output)
  return status === 0
}
