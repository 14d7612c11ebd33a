import { join } from 'node:path'
import { prepare, root, run } from './prepare.mjs'

// npm run watch: runs the tests affected by a change. Unit tests run on the packages' source; tests in test/ run on the
// build that existed at startup. Arguments are passed to Vitest: a path first runs the tests it contains.

const args = ['watch', '--config', 'test/vitest.config.ts', '--standalone', ...process.argv.slice(2)]
if (!prepare() || !run(join(root, 'node_modules', '.bin', 'vitest'), args)) process.exitCode = 1
