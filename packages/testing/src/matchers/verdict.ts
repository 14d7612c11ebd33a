import type { Equals } from '../report/mismatch.ts'
import type { RunReport, StepFailure, StepReport } from '../report/run-report.ts'

/** An expected value, and how to compare it. */
export interface Expectation<TExpected> {
  readonly expected?: TExpected | undefined
  /** The test runner's comparison, used for its matchers. */
  readonly equals?: Equals | undefined
  /** Whether the expectation is negated. */
  readonly isNot?: boolean | undefined
}

/** The result of a check, with a message. */
export interface Verdict {
  readonly pass: boolean
  /** A sentence with the actual result. */
  readonly finding: string
  /** The matching steps. */
  readonly steps: readonly StepReport[]
}

/** Describes the steps of a run, for a message. */
export function describeSteps(report: RunReport): string {
  const error = runFailureOf(report)
  if (error) return `the workflow failed${describeError({ error })}`
  const { steps, listed } = report
  const all = Object.values(steps).map((step) => `${step.stepId} (${step.type}) ${step.status}${describeError(step)}`)
  if (all.length === 0 && listed.length > 0) return 'the run reached no steps'
  return all.length === 0 ? 'the workflow has no steps' : `the steps: ${all.join(', ')}`
}

/** Returns the failure of a run outside of its steps. */
export function runFailureOf({ errors }: RunReport): StepFailure | undefined {
  return errors.find(({ stepId }) => stepId === undefined)
}

/** Describes the failure of a step for a message; empty if it did not fail. */
export function describeError({ error }: Pick<StepReport, 'error'>): string {
  return error ? ` with ${error.code}: ${error.message}` : ''
}
