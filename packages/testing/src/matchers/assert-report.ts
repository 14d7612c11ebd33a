import { AssertionError } from 'node:assert'
import type { RunReport, StepFailure, StepReport } from '../report/run-report.ts'
import { checkCompleted, checkFailed, checkSkipped, type FailedPlace, toPlaceName } from './check-report.ts'
import { checkSent, checkSentOnly } from './check-sent.ts'
import type { Channel, Expected, ExpectedMessage, OutputsOf, SentOptions } from './expected-message.ts'
import { listOf } from './matchers.ts'
import { runFailureOf, type Verdict } from './verdict.ts'

/** The expectations of {@link assertSent}: message fields, and options. */
export type AssertedMessage<TChannel extends Channel> = readonly [
  expected?: Expected<OutputsOf<TChannel>>,
  options?: SentOptions,
]

/**
 * Asserts that a message was sent: exactly one must match, unless `times` is set.
 *
 * @param report - The run.
 * @param channel - The kind of step.
 * @param message - The expected fields, and options.
 * @returns The step that sent the message; the first one if several match.
 * @throws AssertionError - No message matches, or more than one.
 * @throws TypeError - A channel, field, option or step is unknown, or the run was not awaited.
 * @example
 * const { outputs } = assertSent(run, 'email', { subject: /Hello/ }, { at: '2026-01-01T10:00:00Z' })
 */
export function assertSent<TChannel extends Channel>(
  report: RunReport,
  channel: TChannel,
  ...[expected, options]: AssertedMessage<TChannel>
): StepReport<OutputsOf<TChannel>> {
  const verdict = checkSent(report, { channel, options }, { expected })
  const [step] = demand(verdict, `${channel} was expected to be sent${toOften(options)}`).steps
  return step as unknown as StepReport<OutputsOf<TChannel>>
}

/**
 * Asserts that no message was sent.
 *
 * @param report - The run.
 * @param channel - The kind of step.
 * @param expected - The fields of a message; if omitted, any message of this kind fails the assertion.
 * @throws AssertionError - A matching message was sent.
 * @throws TypeError - A channel or field is unknown, or the run was not awaited.
 * @example
 * assertNotSent(run, 'sms')
 */
export function assertNotSent<TChannel extends Channel>(
  report: RunReport,
  channel: TChannel,
  expected?: Expected<OutputsOf<TChannel>>,
): void {
  const { pass, finding } = checkSent(report, { channel }, { expected, isNot: true })
  demand({ pass: !pass, finding, steps: [] }, `${channel} was expected not to be sent`)
}

/**
 * Asserts that a run sent these messages in this order, and no others; messages of further triggers of the run are
 * included.
 *
 * @param report - The run.
 * @param messages - The messages; an empty list expects none.
 * @throws AssertionError - A message is missing, differs, is out of order, or was not expected.
 * @throws TypeError - A channel, field, option or step is unknown, or the run was not awaited.
 * @example
 * assertSentOnly(run, ['inApp', { subject: 'Shipped' }], 'email')
 */
export function assertSentOnly(report: RunReport, ...messages: readonly ExpectedMessage[]): void {
  demand(checkSentOnly(report, messages), `only ${listOf(messages)} was expected to be sent`)
}

/**
 * Asserts that a step was skipped.
 *
 * @param report - The run.
 * @param stepId - The step.
 * @throws AssertionError - The step was not skipped, or the run failed, was canceled or merged before it reached the
 * step.
 * @throws TypeError - The step is unknown, or the run was not awaited.
 * @example
 * assertSkipped(run, 'email')
 */
export function assertSkipped(report: RunReport, stepId: string): void {
  demand(checkSkipped(report, stepId), `step "${stepId}" was expected to be skipped`)
}

/**
 * Asserts that a run completed.
 *
 * @param report - The run.
 * @throws AssertionError - The run has no steps, a step failed or was lost, a request was blocked, or another trigger's
 * digest merged the event.
 * @throws TypeError - The run was not awaited.
 * @example
 * assertCompleted(run)
 */
export function assertCompleted(report: RunReport): void {
  demand(checkCompleted(report), 'the run was expected to complete')
}

/**
 * Asserts that a step failed, or that the run failed outside of its steps.
 *
 * @param report - The run.
 * @param place - The step, or the expected failure of the run.
 * @param expected - The expected failure of the step; a string is its code.
 * @returns The failure.
 * @throws AssertionError - It did not fail, or it failed with another error.
 * @throws TypeError - A step, field or code is unknown, or the run was not awaited.
 * @example
 * assertFailed(run, 'prices', 'StepExecutionFailedError')
 * assertFailed(run, { code: 'WorkflowPayloadInvalidError' })
 */
export function assertFailed(
  report: RunReport,
  place?: FailedPlace,
  expected?: Expected<StepFailure> | string,
): StepFailure {
  const verdict = checkFailed(report, place, { expected })
  const [step] = demand(verdict, `${toPlaceName(place)} was expected to fail`).steps
  return (step?.error ?? runFailureOf(report)) as StepFailure
}

function toOften(options: SentOptions | undefined): string {
  return options?.times === undefined || options.times === 1 ? '' : ` ${options.times} times`
}

function demand(verdict: Verdict, wish: string): Verdict {
  if (verdict.pass) return verdict
  throw new AssertionError({ message: `${wish}, but ${verdict.finding}.`, stackStartFn: demand })
}
