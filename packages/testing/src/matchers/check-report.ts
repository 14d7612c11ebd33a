import type { WarningCode } from '@trestle/protocol'
import { findMismatch } from '../report/mismatch.ts'
import { findStep, requireReport } from '../report/require-report.ts'
import type { PlayedService, RunReport, StepFailure } from '../report/run-report.ts'
import type { Expected } from './expected-message.ts'
import { checkFailureFields } from './known-fields.ts'
import { describeError, describeSteps, type Expectation, runFailureOf, type Verdict } from './verdict.ts'

/** Discovery warnings about steps that are lost or fail with data other than the test's. */
const lossyCodes: Readonly<Record<PlayedService, ReadonlySet<WarningCode>>> = {
  'run-driven': new Set<WarningCode>(['StepIdRepeated']),
  listed: new Set<WarningCode>(['StepIdRepeated', 'StepNotListed']),
}

/**
 * Checks whether a step was skipped. A run that ended before it reached the step fails the check and its negation.
 *
 * @throws TypeError - The value is not a run, or the workflow does not have the step.
 */
export function checkSkipped(
  given: unknown,
  stepId: string,
  { isNot = false }: Pick<Expectation<never>, 'isNot'> = {},
): Verdict {
  const report = requireReport(given)
  const step = findStep(report, stepId)
  const end = step?.called ? undefined : findEarlyEnd(report)
  if (end !== undefined) return { pass: isNot, finding: `the run ${end} before it reached step "${stepId}"`, steps: [] }
  if (!step) return { pass: true, finding: `the run did not reach step "${stepId}"`, steps: [] }
  const pass = step.status === 'skipped'
  return { pass, finding: `step "${stepId}" is ${step.status}${describeError(step)}`, steps: pass ? [step] : [] }
}

/** Returns how a run ended outside of its steps, so that the steps that it did not reach were not skipped. */
function findEarlyEnd(report: RunReport): string | undefined {
  const error = runFailureOf(report)
  if (error) return `failed${describeError({ error })},`
  const { status } = report
  return status === 'canceled' || status === 'merged' ? `was ${status}` : undefined
}

/**
 * Checks whether a run completed: it has steps, no step failed or was lost for any trigger, discovery warns of no lost
 * or failing step, and no request was blocked.
 *
 * @throws TypeError - The value is not a run.
 */
export function checkCompleted(given: unknown): Verdict {
  const report = requireReport(given)
  const fault = findFault(report)
  return { pass: fault === undefined, finding: fault ?? `the run is completed; ${describeSteps(report)}`, steps: [] }
}

function findFault(report: RunReport): string | undefined {
  const { status, steps, others, refused } = report
  const lost = [report, ...others].flatMap((run) => run.unlisted.filter((id) => !Object.hasOwn(run.steps, id)))
  if (lost.length > 0)
    return (
      `the run calls steps that discovery does not list, so the service never calls them: ${lost.map((id) => `"${id}"`).join(', ')}. ` +
      'Give steps fixed ids, and add examples that reach them to the payload schema'
    )
  if (status !== 'completed') return `the run is ${status}; ${describeSteps(report)}`
  const failed = others.find((other) => other.status === 'failed')
  if (failed) return `the run of the further trigger "${failed.transactionId}" is failed; ${describeSteps(failed)}`
  const lossy = report.warnings.find(({ code }) => lossyCodes[report.service].has(code))
  if (lossy) return `discovery warns that steps can be lost: ${lossy.message}`
  if (Object.keys(steps).length === 0 && report.listed.length === 0)
    return 'the workflow has no steps, so nothing was run'
  if (refused.length > 0)
    return (
      `the code requested ${refused.join(', ')}, was blocked, and continued. ` +
      'Give the step a double, or allow the host with the network option'
    )
  return undefined
}

/** A step id, or the expected failure of the run outside its steps. */
export type FailedPlace = string | Expected<StepFailure> | undefined

/**
 * Checks whether a step failed, or whether the run failed outside its steps.
 *
 * @param expectation - The expected failure of the step; a string is its code.
 * @throws TypeError - The value is not a run, or a step, field or code is unknown.
 */
export function checkFailed(
  given: unknown,
  place: FailedPlace,
  { expected = {}, equals }: Expectation<Expected<StepFailure> | string> = {},
): Verdict {
  const report = requireReport(given)
  const fields = typeof expected === 'string' ? { code: expected } : expected
  const wanted = typeof place === 'string' ? fields : { ...place, ...fields }
  checkFailureFields(wanted)
  const step = typeof place === 'string' ? findStep(report, place) : undefined
  const error = typeof place === 'string' ? step?.error : runFailureOf(report)
  const name = toPlaceName(place)
  if (!error) return { pass: false, finding: `${name} did not fail; ${describeSteps(report)}`, steps: [] }
  const pass = !findMismatch(error, wanted, equals)
  return { pass, finding: `${name} is failed${describeError({ error })}`, steps: pass && step ? [step] : [] }
}

/** Returns the name of a step or of the run, for a message. */
export function toPlaceName(place: FailedPlace): string {
  return typeof place === 'string' ? `step "${place}"` : 'the run'
}
