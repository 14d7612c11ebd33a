import type { RunReport, StepFailure } from '../report/run-report.ts'
import { checkCompleted, checkFailed, checkSkipped, type FailedPlace } from './check-report.ts'
import { checkSent, checkSentOnly } from './check-sent.ts'
import { conversationMatchers } from './conversation-matchers.ts'
import type { Channel, Expected, ExpectedMessage, SentOptions } from './expected-message.ts'
import { equalsOf, type MatcherContext, type MatcherResult } from './matcher-result.ts'
import type { Verdict } from './verdict.ts'

/**
 * Matchers for `expect.extend`. The entry points `@trestle/testing/vitest`, `/jest` and `/bun` add them, with their
 * types.
 *
 * @example
 * expect.extend(matchers)
 */
export const matchers: {
  /** Whether exactly one message of the channel matches, or `times` messages. */
  readonly toHaveSent: (
    this: MatcherContext,
    run: RunReport,
    channel: Channel,
    ...message: readonly [expected?: object, options?: SentOptions]
  ) => MatcherResult
  /** Whether the run sent these messages in this order, and no others. */
  readonly toHaveSentOnly: (
    this: MatcherContext,
    run: RunReport,
    ...messages: readonly ExpectedMessage[]
  ) => MatcherResult
  /** Whether the run skipped the step. Fails, also with `not`, if the run ended before it reached the step. */
  readonly toHaveSkipped: (this: MatcherContext, run: RunReport, stepId: string) => MatcherResult
  /** Whether the run has steps, none failed or was lost, and no request was blocked. */
  readonly toHaveCompleted: (run: RunReport) => MatcherResult
  /** Whether the step failed, or the run outside its steps; a string is the failure's code. */
  readonly toHaveFailed: (
    this: MatcherContext,
    run: RunReport,
    place?: FailedPlace,
    expected?: Expected<StepFailure> | string,
  ) => MatcherResult
} & typeof conversationMatchers = {
  ...conversationMatchers,
  toHaveSent(run, channel, ...[expected, options]) {
    const expectation = { expected, equals: equalsOf(this), isNot: this?.isNot }
    const often = options?.times === undefined || options.times === 1 ? '' : ` ${options.times} times`
    return toResult(checkSent(run, { channel, options }, expectation), `to have sent ${channel}${often}`)
  },
  toHaveSentOnly(run, ...messages) {
    return toResult(checkSentOnly(run, messages, equalsOf(this)), `to have sent only ${listOf(messages)}`)
  },
  toHaveSkipped(run, stepId) {
    return toResult(checkSkipped(run, stepId, { isNot: this?.isNot }), `to have skipped "${stepId}"`)
  },
  toHaveCompleted: (run) => toResult(checkCompleted(run), 'to have completed'),
  toHaveFailed(run, place, expected) {
    const at = typeof place === 'string' ? ` at "${place}"` : ''
    return toResult(checkFailed(run, place, { expected, equals: equalsOf(this) }), `to have failed${at}`)
  },
}

/** Lists the channels of expected messages, for a message. */
export function listOf(messages: readonly ExpectedMessage[]): string {
  return messages.map((message) => (typeof message === 'string' ? message : message[0])).join(', ') || 'nothing'
}

function toResult({ pass, finding }: Verdict, wish: string): MatcherResult {
  return { pass, message: () => `The run was expected ${pass ? 'not ' : ''}${wish}, but ${finding}.` }
}
