import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type Reporter, type TestSpecification } from 'vitest/node'

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

/** Short files whose tests take long; begun last, one of them would go on alone. */
const long = /\/test\/(?:conformance|programs|runtimes|testing)\//

/** Begins with the files that take long. */
class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const isLong = ({ moduleId }: TestSpecification): boolean => long.test(moduleId)
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))]
  }
}

/** Tests that look at what a process does when it loads or asks for something first. */
const alone = ['packages/core/src/controls/renderer.test.ts']
/** Tests of source alone: their files share the modules that they load. */
const units = ['packages/*/src/**/*.test.ts']
const excluded = ['**/node_modules/**', '**/dist/**', '**/.next/**']
const common = {
  // What is built runs as it is; to transform it again for each file of tests would take longer than many of them do.
  server: { deps: { external: [/\/packages\/[^/]+\/dist\//] } },
  setupFiles: fileURLToPath(new URL('draws.ts', import.meta.url)),
  env: { NODE_ENV: 'test' as const },
  // A machine may be slow, and busy with other tests.
  testTimeout: 120_000,
  // A first start of a browser or a database reads much from the disk.
  hookTimeout: 60_000,
}

export default defineConfig({
  root: fileURLToPath(new URL('..', import.meta.url)),
  test: {
    globalSetup: ['postgres.ts', 'installs.ts'].map((file) => fileURLToPath(new URL(file, import.meta.url))),
    reporters: ['default', totals],
    // One more than the usual machine has cores: tests of servers wait more than they compute.
    maxWorkers: 3,
    sequence: { sequencer: LongFirst },
    projects: [
      { test: { ...common, name: 'units', isolate: false, include: units, exclude: [...excluded, ...alone] } },
      {
        test: {
          ...common,
          name: 'whole',
          include: ['test/**/*.test.ts', ...alone],
          exclude: excluded,
        },
      },
    ],
  },
})
