import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { results } from './results.ts'
import { isNightly } from './scope.ts'
import { ownSource } from './source-plugin.ts'

// The only configuration for all runs: npm test, npm run nightly, npm run watch and single files.

/** Short files whose tests take a long time. If such a file started last, it would keep running alone. */
const long = /\/test\/(?:conformance|programs|runtimes|service|testing)\//
/** The file of the nightly run that takes an hour. */
const longest = '/test/service/mixed-load.nightly.test.ts'

/** Runs the files that take longest first. */
class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const rankOf = ({ moduleId }: TestSpecification): number =>
      moduleId.endsWith(longest) ? 0 : long.test(moduleId) ? 1 : 2
    return sorted.toSorted((one, other) => rankOf(one) - rankOf(other))
  }
}

const here = (name: string): string => fileURLToPath(new URL(name, import.meta.url))

/** Unit tests that check what a process loads first, its timers or the bridges in it. Each needs its own process. */
const alone = [
  'controls/renderer',
  'call/claim-nonces',
  'http/web-stream',
  'base/timer-queue',
  'discovery/no-timers',
  'trigger/emit-event',
].map((name) => `packages/core/src/${name}.test.ts`)
const excluded = [
  ...['**/node_modules/**', '**/dist/**', '**/.next/**'],
  ...(isNightly ? [] : ['**/*.nightly.test.ts']),
]
const common = {
  env: { NODE_ENV: 'test' as const },
  // The machine may be slow, and busy with other tests. The nightly run generates many more random cases.
  testTimeout: isNightly ? 3_600_000 : 120_000,
  // The first start of a browser or a database reads a lot from disk; some nightly tests store thousands of runs first.
  hookTimeout: isNightly ? 600_000 : 60_000,
  // The default of one second is too short for a browser on a busy machine; a condition that holds ends the wait.
  expect: { poll: { timeout: 60_000 } },
}

export default defineConfig({
  root: fileURLToPath(new URL('..', import.meta.url)),
  test: {
    globalSetup: ['postgres.ts', 'installs.ts'].map(here),
    reporters: ['default', results],
    // Twice the cores of a typical machine: server tests mostly wait.
    maxWorkers: 4,
    sequence: { sequencer: LongFirst },
    projects: [
      {
        // Unit tests run on the source. Their test files share loaded modules.
        plugins: [ownSource],
        test: {
          ...common,
          name: 'units',
          setupFiles: ['draws.ts', 'preload.ts'].map(here),
          isolate: false,
          include: ['packages/*/src/**/*.test.ts'],
          exclude: [...excluded, ...alone],
        },
      },
      {
        test: {
          ...common,
          name: 'whole',
          setupFiles: here('draws.ts'),
          // Built files run unchanged; transforming them again would take longer than many of these tests.
          server: { deps: { external: [/\/packages\/[^/]+\/dist\//] } },
          include: ['test/**/*.test.ts', ...alone],
          exclude: excluded,
        },
      },
    ],
  },
})
