import { join } from 'node:path'
import { prepare, root, run } from './prepare.mjs'

// npm run watch: runs the tests that a change touches. Unit tests run on the packages' source, those in test/ on what was
// built at the start. Arguments are passed to Vitest: a path first runs the tests it contains.

const args = ['watch', '--config', 'test/vitest.config.ts', '--standalone', ...process.argv.slice(2)]
if (!prepare() || !run(join(root, 'node_modules', '.bin', 'vitest'), args)) process.exitCode = 1
