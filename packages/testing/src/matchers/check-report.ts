import type { WarningCode } from '@trestle/protocol'
import { findMismatch } from '../report/mismatch.ts'
import { requireReport, requireStep } from '../report/require-report.ts'
import type { RunReport, StepFailure } from '../report/run-report.ts'
import type { Expected } from './expected-message.ts'
import { checkFailureFields } from './known-fields.ts'
import { describeError, describeSteps, type Expectation, type Verdict } from './verdict.ts'

/** Warnings of discovery about steps that are lost for other data than that of the test. */
const lossyCodes: ReadonlySet<WarningCode> = new Set<WarningCode>(['StepIdRepeated', 'StepNotListed'])

/**
 * Checks whether a step was left out.
 *
 * @param given - The run.
 * @param stepId - The step.
 * @throws TypeError - It is not a run, or the workflow does not have the step.
 */
export function checkSkipped(given: unknown, stepId: string): Verdict {
  const step = requireStep(requireReport(given), stepId)
  const pass = step.status === 'skipped'
  return { pass, found: `step "${stepId}" is ${step.status}${describeError(step)}`, steps: pass ? [step] : [] }
}

/**
 * Checks whether a run came to its end as it should: it has steps, none of them failed, also for further triggers, no
 * step was lost because discovery does not list it, discovery warns of none that can be, and nothing was asked of the network and refused.
 *
 * @param given - The run.
 * @throws TypeError - It is not a run.
 */
export function checkCompleted(given: unknown): Verdict {
  const report = requireReport(given)
  const fault = findFault(report)
  return { pass: fault === undefined, found: fault ?? `the run is completed; ${describeSteps(report)}`, steps: [] }
}

function findFault(report: RunReport): string | undefined {
  const { status, steps, others, refused } = report
  if (status !== 'completed') return `the run is ${status}; ${describeSteps(report)}`
  const failed = others.find((other) => other.status === 'failed')
  if (failed) return `the run of the further trigger "${failed.transactionId}" is failed; ${describeSteps(failed)}`
  const unlisted = [report, ...others].flatMap((run) => run.unlisted).map((id) => `"${id}"`)
  if (unlisted.length > 0)
    return (
      `the function calls steps that discovery does not list, so the service never asks for them: ${unlisted.join(', ')}. ` +
      'Give steps fixed ids, and the payload schema examples that lead to them'
    )
  const lossy = report.warnings.find(({ code }) => lossyCodes.has(code))
  if (lossy) return `discovery warns of steps that can be lost: ${lossy.message}`
  if (Object.keys(steps).length === 0) return 'the workflow has no steps, so nothing was run'
  if (refused.length > 0)
    return (
      `the code asked for ${refused.join(', ')}, was refused, and went on. ` +
      'Give the step a double, or allow the host with the option network'
    )
  return undefined
}

/**
 * Checks whether a step failed.
 *
 * @param given - The run.
 * @param stepId - The step.
 * @param expectation - What is expected of the failure; a text is its code.
 * @throws TypeError - It is not a run, or there is no such step, field or code.
 */
export function checkFailed(
  given: unknown,
  stepId: string,
  { expected = {}, equals }: Expectation<Expected<StepFailure> | string> = {},
): Verdict {
  const report = requireReport(given)
  const step = requireStep(report, stepId)
  const wanted = typeof expected === 'string' ? { code: expected } : expected
  checkFailureFields(wanted)
  if (!step.error) return { pass: false, found: `step "${stepId}" did not fail; ${describeSteps(report)}`, steps: [] }
  const pass = !findMismatch(step.error, wanted, equals)
  return { pass, found: `step "${stepId}" is failed${describeError(step)}`, steps: pass ? [step] : [] }
}
