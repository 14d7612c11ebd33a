import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { prepare, root, run } from './prepare.mjs'

// npm run bench: benchmarks the bridge against a hand-written floor and the public peer, and passes on all arguments.
// Use --service for the local service, --inbox for the inbox in browsers, --html for the sanitizer, and --scaling for a
// model of larger setups.

const suite = ['service', 'inbox', 'html', 'scaling'].find((name) => process.argv.includes(`--${name}`)) ?? 'main'
const main = join(root, 'test/bench', `${suite}.mjs`)
const needed = ['core', 'protocol', 'hono', 'express', ...(['service', 'inbox'].includes(suite) ? ['service'] : [])]

if (!existsSync(main)) {
  process.stderr.write(`There is no benchmark ${suite}.\n`)
  process.exitCode = 1
} else if (
  !prepare(needed.map((name) => `@trestle/${name}`)) ||
  !run('node', ['--expose-gc', main, ...process.argv.slice(2)])
)
  process.exitCode = 1
