import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { prepare, root, run } from './prepare.mjs'

// npm run bench: the benchmarks, with any arguments passed on; with --peer those against @novu/framework.

const main = join(root, 'test/bench', process.argv.includes('--peer') ? 'peer.mjs' : 'main.mjs')

if (!existsSync(main)) {
  process.stderr.write('There are no benchmarks in test/bench yet.\n')
  process.exitCode = 1
} else if (
  !prepare(['@trestle/core', '@trestle/protocol', '@trestle/hono']) ||
  !run('node', ['--expose-gc', main, ...process.argv.slice(2)])
)
  process.exitCode = 1
