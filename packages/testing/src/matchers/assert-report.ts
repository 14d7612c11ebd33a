import { AssertionError } from 'node:assert'
import type { RunReport, StepFailure, StepReport } from '../report/run-report.ts'
import { checkCompleted, checkFailed, checkSkipped, type FailedPlace, toPlaceName } from './check-report.ts'
import { checkSent, checkSentOnly } from './check-sent.ts'
import type { Channel, Expected, ExpectedMessage, OutputsOf, SentOptions } from './expected-message.ts'
import { listOf } from './matchers.ts'
import { runFailureOf, type Verdict } from './verdict.ts'

/** The expectations of {@link assertSent}: the message's fields, and further ones. */
export type AssertedMessage<TChannel extends Channel> = readonly [
  expected?: Expected<OutputsOf<TChannel>>,
  options?: SentOptions,
]

/**
 * Asserts that a message was sent: exactly one that fits, unless `times` says otherwise.
 *
 * @param report - The run.
 * @param channel - The kind of step.
 * @param message - What is expected of its fields, and further options.
 * @returns The step that sent it; the first one of several.
 * @throws AssertionError - None was sent, or more than one.
 * @throws TypeError - There is no such channel, field, option or step, or the run was not awaited.
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
 * @param expected - The fields of a message; without them no message of the kind may be sent.
 * @throws AssertionError - Such a message was sent.
 * @throws TypeError - There is no such channel or field, or the run was not awaited.
 * @example
 * assertNotSent(run, 'sms')
 */
export function assertNotSent<TChannel extends Channel>(
  report: RunReport,
  channel: TChannel,
  expected?: Expected<OutputsOf<TChannel>>,
): void {
  const { pass, found } = checkSent(report, { channel }, { expected, isNot: true })
  demand({ pass: !pass, found, steps: [] }, `${channel} was expected not to be sent`)
}

/**
 * Asserts that a run sent these messages in this order, and no others; further triggers of the run count too.
 *
 * @param report - The run.
 * @param messages - The messages; none stands for a run that sends nothing.
 * @throws AssertionError - One is missing, differs, comes in another place, or is too much.
 * @throws TypeError - There is no such channel, field, option or step, or the run was not awaited.
 * @example
 * assertSentOnly(run, ['inApp', { subject: 'Shipped' }], 'email')
 */
export function assertSentOnly(report: RunReport, ...messages: readonly ExpectedMessage[]): void {
  demand(checkSentOnly(report, messages), `only ${listOf(messages)} was expected to be sent`)
}

/**
 * Asserts that a step was left out.
 *
 * @param report - The run.
 * @param stepId - The step.
 * @throws AssertionError - It was not.
 * @throws TypeError - There is no such step, or the run was not awaited.
 * @example
 * assertSkipped(run, 'email')
 */
export function assertSkipped(report: RunReport, stepId: string): void {
  demand(checkSkipped(report, stepId), `step "${stepId}" was expected to be skipped`)
}

/**
 * Asserts that a run came to its end as it should.
 *
 * @param report - The run.
 * @throws AssertionError - It has no steps, one failed, one was lost, the network refused something, or another
 *   trigger's digest took the event.
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
 * @param place - The step, or what is expected of the failure of the run.
 * @param expected - What is expected of the failure of a step; a text is its code.
 * @returns The failure.
 * @throws AssertionError - It did not, or in another way.
 * @throws TypeError - There is no such step, field or code, or the run was not awaited.
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
  throw new AssertionError({ message: `${wish}, but ${verdict.found}.`, stackStartFn: demand })
}
