import type { Equals } from '../report/mismatch.ts'
import type { RunReport, StepReport } from '../report/run-report.ts'

/** An expected value, and how it is compared. */
export interface Expectation<TExpected> {
  /** The expected value. */
  readonly expected?: TExpected | undefined
  /** The comparison of the test runner, for its own matchers. */
  readonly equals?: Equals | undefined
  /** Whether the opposite is expected. */
  readonly isNot?: boolean | undefined
}

/** Whether a report is as expected, and what to say when it is not. */
export interface Verdict {
  /** Whether it is. */
  readonly pass: boolean
  /** A sentence that says what was found. */
  readonly found: string
  /** The steps that were looked at and pass. */
  readonly steps: readonly StepReport[]
}

/**
 * Describes what became of a run's steps, for a message.
 *
 * @param report - The run.
 */
export function describeSteps({ steps }: RunReport): string {
  const all = Object.values(steps).map((step) => `${step.stepId} (${step.type}) ${step.status}${describeError(step)}`)
  return all.length === 0 ? 'the workflow has no steps' : `the steps: ${all.join(', ')}`
}

/**
 * Describes the failure of a step, for a message; empty without one.
 *
 * @param step - The step.
 */
export function describeError({ error }: StepReport): string {
  return error ? ` with ${error.code}: ${error.message}` : ''
}
