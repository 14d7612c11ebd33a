import type { StepFailure } from '../report/run-report.ts'
import type { Channel, Expected, ExpectedMessage, OutputsOf, SentOptions } from './expected-message.ts'

/** Matchers of `expect(run)` in every runner; `TReturn` is the type that the runner's matchers return. */
export interface RunMatchers<TReturn = void> {
  /**
   * Exactly one message of the channel matches the fields, across all triggers of the run; `times` sets a different
   * number. With `not`, no message matches.
   */
  toHaveSent<TChannel extends Channel>(
    channel: TChannel,
    expected?: Expected<OutputsOf<TChannel>>,
    options?: SentOptions,
  ): TReturn
  /** The run, across all of its triggers, sent these messages in this order, and no others. */
  toHaveSentOnly(...messages: readonly ExpectedMessage[]): TReturn
  /**
   * The run skipped the step. Fails, also with `not`, if the run failed, was canceled or merged before it reached the
   * step.
   */
  toHaveSkipped(stepId: string): TReturn
  /** The run has steps, no step failed or was lost for any trigger, and no request was blocked. */
  toHaveCompleted(): TReturn
  /** The step failed; a string is the failure's code. */
  toHaveFailed(stepId: string, expected?: Expected<StepFailure> | string): TReturn
  /** The run failed outside its steps, for example because its payload is invalid or the workflow function threw. */
  toHaveFailed(expected?: Expected<StepFailure>): TReturn
}
