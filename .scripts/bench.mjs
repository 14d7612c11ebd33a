import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { prepare, root, run } from './prepare.mjs'

// npm run bench: the bridge against a floor and the public peer, with any arguments passed on; with --service the local
// service, with --inbox the inbox in browsers, with --html the sanitizer, with --scaling a model of larger setups.

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
