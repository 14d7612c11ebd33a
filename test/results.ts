import { writeFileSync } from 'node:fs'
import { relative } from 'node:path'
import type { Reporter, TestCase, TestModule } from 'vitest/node'
import { root } from './repository.ts'
import { isNightly } from './scope.ts'

/** The result of a test file. */
export interface FileResult {
  /** Path relative to the root. */
  readonly file: string
  /** The time of its tests and hooks, in milliseconds, excluding the time to load it. */
  readonly durationMs: number
  readonly passed: number
  readonly failed: number
  readonly skipped: number
}

/**
 * Writes the results by file for `npm test` and `npm run nightly`, which print them. Otherwise prints the totals. In the
 * nightly run, errors are printed at once: they would be lost if it was stopped before its end.
 */
export const results: Reporter = {
  onTestCaseResult(test) {
    if (isNightly && test.result().state === 'failed') process.stdout.write(toErrors(test))
  },
  onTestRunEnd(modules) {
    const files = modules.map(toResult)
    const place = process.env['TEST_RESULTS_FILE']
    if (place) writeFileSync(place, JSON.stringify(files))
    else {
      const sum = (key: 'passed' | 'failed'): number => files.reduce((total, file) => total + file[key], 0)
      process.stdout.write(`\n${sum('passed')} passed, ${sum('failed')} failed\n`)
    }
  },
}

/** An error of a test, or the cause of one. */
type Cause = NonNullable<ReturnType<TestCase['result']>['errors']>[number]

function toErrors(test: TestCase): string {
  const toText = ({ stack, message, diff, cause }: Cause): string =>
    `${stack ?? message}\n${diff ?? ''}\n${cause ? toText(cause as Cause) : ''}`
  const errors = (test.result().errors ?? []).map(toText)
  return `\nFAILED ${relative(root, test.module.moduleId)}: ${test.fullName}\n${errors.join('\n')}\n`
}

function toResult(module: TestModule): FileResult {
  const tests = [...module.children.allTests()]
  const count = (state: string): number => tests.filter((test) => test.result().state === state).length
  const broken = module.errors().length > 0 ? 1 : 0
  return {
    file: relative(root, module.moduleId),
    durationMs: module.diagnostic().duration,
    passed: count('passed'),
    failed: count('failed') + broken,
    skipped: count('skipped'),
  }
}
