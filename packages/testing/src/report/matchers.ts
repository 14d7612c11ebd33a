import {
  type Channel,
  checkCompleted,
  checkFailed,
  checkSent,
  checkSkipped,
  type Expected,
  type Verdict,
} from './check-report.ts'
import type { Equals } from './mismatch.ts'
import type { RunReport, StepFailure } from './run-report.ts'

/** What a matcher tells a test runner. */
export interface MatcherResult {
  /** Whether it matches. */
  readonly pass: boolean
  /** What to say when the test fails. */
  readonly message: () => string
}

/** What a test runner calls a matcher on. */
export interface MatcherContext {
  /** The runner's own comparison. */
  equals?(actual: unknown, expected: unknown): boolean
}

/**
 * Matchers for `expect.extend` of Vitest, Jest and Bun.
 *
 * @example
 * expect.extend(matchers)
 */
export const matchers: {
  /** Some step of the kind sent a message whose outputs are as expected. */
  readonly toHaveSent: (this: MatcherContext, run: RunReport, channel: Channel, expected?: object) => MatcherResult
  /** The step was left out. */
  readonly toHaveSkipped: (run: RunReport, stepId: string) => MatcherResult
  /** The run came to its end without a failure. */
  readonly toHaveCompleted: (run: RunReport) => MatcherResult
  /** The step failed; a text is the failure's code. */
  readonly toHaveFailed: (
    this: MatcherContext,
    run: RunReport,
    stepId: string,
    expected?: Expected<StepFailure> | string,
  ) => MatcherResult
} = {
  toHaveSent(run, channel, expected) {
    return toResult(checkSent(run, channel, { expected, equals: equalsOf(this) }), `to have sent ${channel}`)
  },
  toHaveSkipped: (run, stepId) => toResult(checkSkipped(run, stepId), `to have skipped "${stepId}"`),
  toHaveCompleted: (run) => toResult(checkCompleted(run), 'to have completed'),
  toHaveFailed(run, stepId, expected) {
    return toResult(checkFailed(run, stepId, { expected, equals: equalsOf(this) }), `to have failed at "${stepId}"`)
  },
}

/** Bun's comparison works on its own object only. */
function equalsOf(context: MatcherContext): Equals | undefined {
  return context.equals && ((actual, expected) => context.equals?.(actual, expected) === true)
}

function toResult({ pass, found }: Verdict, wish: string): MatcherResult {
  return { pass, message: () => `The run was expected ${pass ? 'not ' : ''}${wish}, but ${found}.` }
}
