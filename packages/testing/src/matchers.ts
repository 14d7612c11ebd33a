import {
  type Channel,
  checkCompleted,
  checkFailed,
  checkSent,
  checkSkipped,
  type Expected,
  type Verdict,
} from './report-verdict.ts'
import type { RunReport, StepFailure } from './run-report.ts'

/** What a matcher tells a test runner. */
export interface MatcherResult {
  /** Whether it matches. */
  readonly pass: boolean
  /** What to say when the test fails. */
  readonly message: () => string
}

/**
 * Matchers for `expect.extend` of Vitest, Jest and Bun.
 *
 * @example
 * expect.extend(matchers)
 */
export const matchers: {
  /** Some step of the kind sent a message whose outputs are as expected. */
  readonly toHaveSent: (report: RunReport, channel: Channel, expected?: object) => MatcherResult
  /** The step was left out. */
  readonly toHaveSkipped: (report: RunReport, stepId: string) => MatcherResult
  /** The run came to its end without a failure. */
  readonly toHaveCompleted: (report: RunReport) => MatcherResult
  /** The step failed; a text is the failure's code. */
  readonly toHaveFailed: (report: RunReport, stepId: string, expected?: Expected<StepFailure> | string) => MatcherResult
} = {
  toHaveSent: (report, channel, expected) => toResult(checkSent(report, channel, expected), `to have sent ${channel}`),
  toHaveSkipped: (report, stepId) => toResult(checkSkipped(report, stepId), `to have skipped "${stepId}"`),
  toHaveCompleted: (report) => toResult(checkCompleted(report), 'to have completed'),
  toHaveFailed: (report, stepId, expected) =>
    toResult(checkFailed(report, stepId, expected), `to have failed at "${stepId}"`),
}

function toResult({ pass, found }: Verdict, wish: string): MatcherResult {
  return { pass, message: () => `The run was expected ${pass ? 'not ' : ''}${wish}, but ${found}.` }
}
