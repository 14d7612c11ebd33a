import { randomInt } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { prepare, quietEnvironment, root, run } from './prepare.mjs'

// npm run nightly: the property tests with many more generated cases than npm test takes, the service crashing many more
// times, and the whole conformance suite on the newest frameworks; any arguments are passed on. FC_RUNS says how many
// (random programs: 5 000 at most); each test is given as much time as that takes. Other cases are drawn each time; FC_SEED
// draws those of an earlier night again.

const cases = process.env['FC_RUNS'] ?? '200000'
const seed = process.env['FC_SEED'] ?? String(randomInt(2 ** 31))
// Whatever reads FC_RUNS.
const sources = readdirSync(join(root, 'packages'))
  .map((name) => join(root, 'packages', name, 'src'))
  .filter((source) => existsSync(source))
const folders = ['test/browser', 'test/programs', 'test/service', 'test/runtimes'].map((folder) => join(root, folder))
const suites = [...sources, ...folders].flatMap((source) => {
  return readdirSync(source, { recursive: true, encoding: 'utf8' })
    .map((file) => join(source, file))
    .filter((file) => file.endsWith('.test.ts') && readFileSync(file, 'utf8').includes('FC_RUNS'))
})
const vitest = join(root, 'node_modules', '.bin', 'vitest')
const args = ['run', '--config', 'test/vitest.config.ts', '--testTimeout', '14400000', ...suites]

process.stdout.write(`FC_SEED=${seed}\n`)
if (
  !prepare(['core', 'testing', 'service', 'sveltekit', 'react-router', 'h3'].map((name) => `@trestle/${name}`)) ||
  !run(vitest, [...args, ...process.argv.slice(2)], { env: { ...quietEnvironment, FC_RUNS: cases, FC_SEED: seed } })
)
  process.exitCode = 1
