import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { prepare, root, run } from './prepare.mjs'

// npm run bench: the benchmarks, with any arguments passed on; with --peer those against @novu/framework, with
// --service those of the notification service.

const has = (flag) => process.argv.includes(flag)
const suite = has('--peer') ? 'peer.mjs' : has('--service') ? 'service.mjs' : 'main.mjs'
const main = join(root, 'test/bench', suite)
const packages = has('--service') ? ['@trestle/service'] : ['@trestle/core', '@trestle/protocol', '@trestle/hono']

if (!existsSync(main)) {
  process.stderr.write('There are no benchmarks in test/bench yet.\n')
  process.exitCode = 1
} else if (!prepare(packages) || !run('node', ['--expose-gc', main, ...process.argv.slice(2)])) process.exitCode = 1
