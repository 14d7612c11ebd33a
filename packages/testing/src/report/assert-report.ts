import { AssertionError } from 'node:assert'
import {
  type Channel,
  checkCompleted,
  checkFailed,
  checkSent,
  checkSkipped,
  type Expected,
  type OutputsOf,
  type Verdict,
} from './check-report.ts'
import type { RunReport, StepFailure, StepReport } from './run-report.ts'

/**
 * Asserts that a message was sent.
 *
 * @param report - The run.
 * @param channel - The kind of step.
 * @param expected - What is expected of its outputs.
 * @returns The step that sent it.
 * @throws AssertionError - No step of that kind sent such a message.
 */
export function assertSent<TChannel extends Channel>(
  report: RunReport,
  channel: TChannel,
  expected?: Expected<OutputsOf<TChannel>>,
): StepReport<OutputsOf<TChannel>> {
  const [step] = demand(checkSent(report, channel, { expected }), `${channel} was expected to be sent`).steps
  return step as unknown as StepReport<OutputsOf<TChannel>>
}

/**
 * Asserts that no message was sent.
 *
 * @param report - The run.
 * @param channel - The kind of step.
 * @throws AssertionError - A step of that kind sent one.
 */
export function assertNotSent(report: RunReport, channel: Channel): void {
  const { pass, found } = checkSent(report, channel)
  demand({ pass: !pass, found, steps: [] }, `${channel} was expected not to be sent`)
}

/**
 * Asserts that a step was left out.
 *
 * @param report - The run.
 * @param stepId - The step.
 * @throws AssertionError - It was not.
 */
export function assertSkipped(report: RunReport, stepId: string): void {
  demand(checkSkipped(report, stepId), `step "${stepId}" was expected to be skipped`)
}

/**
 * Asserts that a run came to its end without a failure.
 *
 * @param report - The run.
 * @throws AssertionError - A step failed, or another trigger's digest took the event.
 */
export function assertCompleted(report: RunReport): void {
  demand(checkCompleted(report), 'the run was expected to complete')
}

/**
 * Asserts that a step failed.
 *
 * @param report - The run.
 * @param stepId - The step.
 * @param expected - What is expected of the failure; a text is its code.
 * @returns The failure.
 * @throws AssertionError - It did not, or in another way.
 */
export function assertFailed(
  report: RunReport,
  stepId: string,
  expected?: Expected<StepFailure> | string,
): StepFailure {
  const [step] = demand(checkFailed(report, stepId, { expected }), `step "${stepId}" was expected to fail`).steps
  return step?.error as StepFailure
}

function demand(verdict: Verdict, wish: string): Verdict {
  if (verdict.pass) return verdict
  throw new AssertionError({ message: `${wish}, but ${verdict.found}.`, stackStartFn: demand })
}
