import { randomInt } from 'node:crypto'
import { checkTypes, lint, prose, spelling, typeChecks } from './checks.mjs'
import { prepare, run } from './prepare.mjs'
import { runVitest, toFolders, toSeconds, toTable } from './results.mjs'
import { installSystemPackages } from './system-packages.mjs'

// npm run nightly: runs all tests, including those of the daily run, on every adapter and database, with more random
// cases; then the mutation checks. It installs what it needs and ends with a summary table. The random cases are
// different each time; FC_SEED reproduces those of an earlier run. If arguments are given, they are passed to Vitest,
// and only the tests run.

const seed = process.env['FC_SEED'] ?? String(randomInt(2 ** 31))
const args = process.argv.slice(2)
const rows = []
const node = process.execPath

async function check(name, work) {
  const startMs = performance.now()
  const good = await work()
  rows.push({ name, durationMs: performance.now() - startMs, passed: good ? 1 : 0, failed: good ? 0 : 1, skipped: 0 })
  return good
}

async function runTests() {
  const { status, files } = await runVitest(args, {
    TEST_SCOPE: 'nightly',
    FC_SEED: seed,
    ...(args.length === 0 && { TEST_INSTALLS: '1' }),
  })
  rows.push(...toFolders(files))
  const failed = files.filter((file) => file.failed > 0).map(({ file }) => file)
  if (status !== 0 && failed.length === 0)
    rows.push({ name: 'Vitest itself', durationMs: 0, passed: 0, failed: 1, skipped: 0 })
  return failed
}

const startMs = performance.now()
let failedFiles = []
process.stdout.write(`FC_SEED=${seed}\n`)
installSystemPackages()
if (await check('Install and build', () => prepare(['./packages/*', './examples/*']))) {
  const isWhole = args.length === 0
  if (isWhole) {
    await check('Format and lint', lint)
    await check('English', prose)
    await check('Spelling', spelling)
    for (const [title, project] of typeChecks) await check(title, () => checkTypes(project))
  }
  failedFiles = await runTests()
  if (isWhole) {
    await check('Mutations of the verifier', () => run(node, ['test/mutation/verify.mjs']))
    for (const table of ['daily', 'security'])
      await check(`Deliberate breaks: ${table}`, () => run(node, ['test/mutation/run-breaks.mjs', table]))
  }
}

const total = { name: 'Total', durationMs: performance.now() - startMs, passed: 0, failed: 0, skipped: 0 }
for (const row of rows) for (const key of ['passed', 'failed', 'skipped']) total[key] += row[key]
const cells = [...rows, total].map(({ name, durationMs, passed, failed, skipped }) => [
  name,
  ...[toSeconds(durationMs), String(passed), String(failed), String(skipped)],
])
process.stdout.write(`\n${toTable([['What ran', 'Time', 'Passed', 'Failed', 'Skipped'], ...cells])}`)
if (failedFiles.length > 0) process.stdout.write(`\nFailed:\n${failedFiles.map((file) => `  ${file}\n`).join('')}`)
process.stdout.write(`\nThe same random cases again: FC_SEED=${seed} npm run nightly\n`)
process.exitCode = total.failed > 0 ? 1 : 0
