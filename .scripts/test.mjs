import { checkTypes, lint, prose, spelling, typeChecks } from './checks.mjs'
import { prepare, startedExamples } from './prepare.mjs'
import { runVitest, toFolders, toSeconds, toTable } from './results.mjs'
import { installSystemPackages } from './system-packages.mjs'

// npm test: the daily run; also works on a fresh machine. It ends with the line "N passed, N failed". `-- --report`
// adds the slowest files and the time by folder. Other arguments are passed to Vitest: a path runs only the tests it
// contains.

const args = process.argv.slice(2).filter((arg) => arg !== '--report')
const wantsReport = process.argv.includes('--report')
/** The workspaces to build, including the examples, because a test runs what `npm start` runs. */
const needed = ['./packages/*', ...startedExamples]
const totals = { passed: 0, failed: 0 }

async function check(title, work) {
  const startMs = performance.now()
  const good = await work()
  totals[good ? 'passed' : 'failed']++
  process.stdout.write(`\n${title}: ${good ? 'passed' : 'FAILED'} in ${toSeconds(performance.now() - startMs)}\n`)
  return good
}

async function runTests() {
  const { status, files } = await runVitest(args)
  for (const { passed, failed } of files) {
    totals.passed += passed
    totals.failed += failed
  }
  // A run can fail without a failed test, for example because of an unhandled rejection.
  if (status !== 0 && !files.some(({ failed }) => failed > 0)) totals.failed++
  return files
}

function report(files) {
  const slowest = files.toSorted((a, b) => b.durationMs - a.durationMs).slice(0, 20)
  const rows = (list, nameOf) => toTable(list.map((one) => [nameOf(one), toSeconds(one.durationMs)]))
  process.stdout.write(`\nThe slowest files:\n${rows(slowest, ({ file }) => file)}`)
  process.stdout.write(`\nTime by folder:\n${rows(toFolders(files), ({ name }) => name)}`)
}

if (process.env['CI']) installSystemPackages()
if (await check('Install and build', () => prepare(needed))) {
  await check('Format and lint', lint)
  await check('English', prose)
  await check('Spelling', spelling)
  // The type checks run alongside the tests, which are mostly idle.
  const types = typeChecks.reduce(
    (last, [title, project]) => last.then(() => check(title, () => checkTypes(project))),
    Promise.resolve(),
  )
  const [files] = await Promise.all([runTests(), types])
  if (wantsReport) report(files)
}

process.stdout.write(`\n${totals.passed} passed, ${totals.failed} failed\n`)
process.exitCode = totals.failed > 0 ? 1 : 0
