import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { prepare, quietEnvironment, root, run } from './prepare.mjs'

// npm test: everything, on a fresh machine too. Ends with the line "N passed, N failed".

const totals = { passed: 0, failed: 0 }

function check(title, work) {
  const startMs = performance.now()
  process.stdout.write(`\n${title}\n`)
  const good = work()
  totals[good ? 'passed' : 'failed']++
  process.stdout.write(
    `${title}: ${good ? 'passed' : 'FAILED'} in ${Math.round((performance.now() - startMs) / 1000)} s\n`,
  )
  return good
}

function bin(name, args, options) {
  return run(join(root, 'node_modules', '.bin', name), args, options)
}

function runVitest() {
  const folder = mkdtempSync(join(tmpdir(), 'trestle-test-'))
  const file = join(folder, 'totals.json')
  const good = bin('vitest', ['run', '--config', 'test/vitest.config.ts'], {
    env: { ...quietEnvironment, TEST_TOTALS_FILE: file },
  })
  const { passed, failed } = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : { passed: 0, failed: 0 }
  rmSync(folder, { recursive: true })
  totals.passed += passed
  // A run can fail without a failed test, by an unhandled rejection for one.
  totals.failed += good ? failed : Math.max(failed, 1)
}

const built = check('Install and build everything, examples included', () => prepare())
check('Format and lint', () => bin('biome', ['check', '.']))
if (built) {
  check('Types of the tests', () => bin('tsc', ['-p', 'test']))
  if (existsSync(join(root, 'test/types/tsconfig.json')))
    check('Types users see', () => bin('tsc', ['-p', 'test/types']))
  runVitest()
}

process.stdout.write(`\n${totals.passed} passed, ${totals.failed} failed\n`)
process.exitCode = totals.failed > 0 ? 1 : 0
