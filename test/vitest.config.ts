import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import type { Reporter } from 'vitest/node'

/** Ends the output with how many tests passed and failed, and leaves the totals to `npm test`. */
const totals: Reporter = {
  onTestRunEnd(modules) {
    const tests = modules.flatMap((module) => [...module.children.allTests()])
    const passed = tests.filter((test) => test.ok() && test.result().state === 'passed').length
    const broken = modules.filter((module) => module.errors().length > 0).length
    const failed = tests.filter((test) => !test.ok()).length + broken
    const file = process.env['TEST_TOTALS_FILE']
    if (file) writeFileSync(file, JSON.stringify({ passed, failed }))
    else process.stdout.write(`\n${passed} passed, ${failed} failed\n`)
  },
}

export default defineConfig({
  root: fileURLToPath(new URL('..', import.meta.url)),
  test: {
    include: ['packages/*/src/**/*.test.ts', 'test/**/*.test.ts'],
    exclude: ['**/node_modules/**', '**/dist/**', '**/.next/**'],
    globalSetup: ['postgres.ts', 'installs.ts'].map((file) => fileURLToPath(new URL(file, import.meta.url))),
    setupFiles: fileURLToPath(new URL('draws.ts', import.meta.url)),
    reporters: ['default', totals],
    env: { NODE_ENV: 'test' },
    // One more than the usual machine has cores: tests of servers wait more than they compute.
    maxWorkers: 3,
    testTimeout: 40_000,
  },
})
