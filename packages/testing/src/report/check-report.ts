import { type Equals, findMismatch } from './mismatch.ts'
import type { OutputsByType, RunReport, StepFailure, StepReport } from './run-report.ts'

/** The kinds of step that send a message: as a workflow writes them, or as they are called on the wire. */
export type Channel = 'email' | 'sms' | 'push' | 'chat' | 'inApp' | 'in_app' | 'tool'

/** What a channel's handler returns. */
export type OutputsOf<TChannel extends Channel> = OutputsByType[TChannel extends 'inApp'
  ? 'in_app'
  : Exclude<TChannel, 'inApp'>]

/** Some fields of a value, each with what is expected of it: a value, a regular expression, or a runner's matcher. */
export type Expected<TValue> = TValue extends unknown ? { readonly [TKey in keyof TValue]?: unknown } : never

/** What is expected, and what compares it. */
export interface Expectation<TExpected> {
  /** What is expected. */
  readonly expected?: TExpected | undefined
  /** The comparison of the test runner, for its own matchers. */
  readonly equals?: Equals | undefined
}

/** Whether a report is as expected, and what to say when it is not. */
export interface Verdict {
  /** Whether it is. */
  readonly pass: boolean
  /** What was found, in a sentence. */
  readonly found: string
  /** The steps that were looked at and pass. */
  readonly steps: readonly StepReport[]
}

/**
 * Looks for a message that was sent.
 *
 * @param report - The run.
 * @param channel - The kind of step.
 * @param expectation - What is expected of its outputs.
 */
export function checkSent(report: RunReport, channel: Channel, expectation: Expectation<object> = {}): Verdict {
  const { expected = {}, equals } = expectation
  const type = channel === 'inApp' ? 'in_app' : channel
  const sent = report.sent.filter((step) => step.type === type)
  const steps = sent.filter(({ outputs }) => !findMismatch(outputs, expected, { equals }))
  if (steps.length > 0) return { pass: true, found: `step "${steps[0]?.stepId}" sent it`, steps }
  const [closest] = sent
  if (!closest) return { pass: false, found: `nothing was sent by ${type}; ${tell(report)}`, steps }
  const { path, expected: wanted, actual } = findMismatch(closest.outputs, expected, { equals }) ?? { path: '' }
  const found = `step "${closest.stepId}" sent ${path} ${print(actual)}, and not ${print(wanted)}`
  return { pass: false, found, steps }
}

/**
 * Looks at whether a step was left out.
 *
 * @param report - The run.
 * @param stepId - The step.
 */
export function checkSkipped(report: RunReport, stepId: string): Verdict {
  const step = report.steps[stepId]
  if (!step) return { pass: false, found: `there is no step "${stepId}"; ${tell(report)}`, steps: [] }
  const pass = step.status === 'skipped'
  return { pass, found: `step "${stepId}" is ${step.status}${why(step)}`, steps: pass ? [step] : [] }
}

/**
 * Looks at whether a run came to its end without a failure.
 *
 * @param report - The run.
 */
export function checkCompleted(report: RunReport): Verdict {
  return { pass: report.status === 'completed', found: `the run is ${report.status}; ${tell(report)}`, steps: [] }
}

/**
 * Looks at whether a step failed.
 *
 * @param report - The run.
 * @param stepId - The step.
 * @param expectation - What is expected of the failure; a text is its code.
 */
export function checkFailed(
  report: RunReport,
  stepId: string,
  { expected = {}, equals }: Expectation<Expected<StepFailure> | string> = {},
): Verdict {
  const step = report.steps[stepId]
  if (!step?.error) return { pass: false, found: `step "${stepId}" did not fail; ${tell(report)}`, steps: [] }
  const wanted = typeof expected === 'string' ? { code: expected } : expected
  const pass = !findMismatch(step.error, wanted, { equals })
  return { pass, found: `step "${stepId}" is failed${why(step)}`, steps: pass ? [step] : [] }
}

function tell({ steps }: RunReport): string {
  const all = Object.values(steps).map((step) => `${step.stepId} (${step.type}) ${step.status}${why(step)}`)
  return all.length === 0 ? 'the workflow has no steps' : `the steps: ${all.join(', ')}`
}

function why({ error }: StepReport): string {
  return error ? ` with ${error.code}: ${error.message}` : ''
}

function print(value: unknown): string {
  return value instanceof RegExp ? String(value) : (JSON.stringify(value) ?? 'nothing')
}
