import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { prepare, quietEnvironment, root, run } from './prepare.mjs'

// npm test: everything, on a fresh machine too. Ends with the line "N passed, N failed". Any arguments are passed on to the
// test runner: with a path only what lies there is run.

const totals = { passed: 0, failed: 0 }

function check(title, work) {
  process.stdout.write(`\n${title}\n`)
  return tell(title, performance.now(), work())
}

function tell(title, startMs, good) {
  totals[good ? 'passed' : 'failed']++
  process.stdout.write(
    `${title}: ${good ? 'passed' : 'FAILED'} in ${Math.round((performance.now() - startMs) / 1000)} s\n`,
  )
  return good
}

/** Checks types beside the tests, which wait more than they compute; what it found is shown when it is over. */
async function checkTypes(title, project) {
  const startMs = performance.now()
  const args = [join(root, 'node_modules', 'typescript-7', 'bin', 'tsc'), '-p', project]
  const child = spawn(process.execPath, args, { cwd: root, env: quietEnvironment, stdio: ['ignore', 'pipe', 'pipe'] })
  let shown = ''
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text) => (shown += text))
  const status = await new Promise((resolve) => child.once('error', resolve).once('close', resolve))
  process.stdout.write(`\n${shown}`)
  return tell(title, startMs, status === 0)
}

function bin(name, args, options) {
  return run(join(root, 'node_modules', '.bin', name), args, options)
}

async function runVitest() {
  const folder = mkdtempSync(join(tmpdir(), 'trestle-test-'))
  const file = join(folder, 'totals.json')
  const vitest = join(root, 'node_modules', '.bin', 'vitest')
  const args = ['run', '--config', 'test/vitest.config.ts', ...process.argv.slice(2)]
  const child = spawn(vitest, args, {
    cwd: root,
    env: { ...quietEnvironment, TEST_TOTALS_FILE: file },
    stdio: 'inherit',
  })
  const status = await new Promise((resolve) => child.once('error', resolve).once('close', resolve))
  const { passed, failed } = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : { passed: 0, failed: 0 }
  rmSync(folder, { recursive: true })
  totals.passed += passed
  // A run can fail without a failed test, by an unhandled rejection for one.
  totals.failed += status === 0 ? failed : Math.max(failed, 1)
}

const built = check('Install and build everything, examples included', () => prepare())
check('Format and lint', () => bin('biome', ['check', '.']))
if (built) {
  const types = [
    ['Types of the tests', 'test'],
    ['Types users see', 'test/types'],
  ]
  const checking = types
    .filter(([, project]) => existsSync(join(root, project, 'tsconfig.json')))
    .reduce((last, [title, project]) => last.then(() => checkTypes(title, project)), Promise.resolve())
  await Promise.all([checking, runVitest()])
}

process.stdout.write(`\n${totals.passed} passed, ${totals.failed} failed\n`)
process.exitCode = totals.failed > 0 ? 1 : 0
