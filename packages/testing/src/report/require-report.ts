import { isObject } from '@trestle/protocol'
import { printValue } from './print-value.ts'
import type { RunReport, StepReport } from './run-report.ts'

/**
 * Returns a value if it is the report of a run.
 *
 * @throws TypeError - The value is an un-awaited promise, or something else.
 */
export function requireReport(given: unknown): RunReport {
  if (isObject(given) && typeof given['then'] === 'function')
    throw new TypeError(
      'This is a promise, not the report of a run: add the missing await. Write `await bridge.run(…)`.',
    )
  if (isObject(given) && isObject(given['steps']) && Array.isArray(given['sent']) && 'workflowId' in given)
    return given as unknown as RunReport
  throw new TypeError(`This is not the report of a run, as bridge.run returns it: ${printValue(given).slice(0, 200)}.`)
}

/**
 * Returns the report of a step.
 *
 * @returns `undefined` if the run did not reach the step.
 * @throws TypeError - Discovery does not list the step, and no trigger reached it; a negation must not pass on a misspelled
 *   id.
 */
export function findStep(report: RunReport, stepId: string): StepReport | undefined {
  const { workflowId, steps, listed, others } = report
  if (Object.hasOwn(steps, stepId)) return steps[stepId]
  const knownStepIds = [...new Set([report, ...others].flatMap((run) => Object.keys(run.steps)).concat(listed))]
  if (knownStepIds.includes(stepId)) return undefined
  const has = knownStepIds.length === 0 ? 'It has no steps.' : `Its steps are: ${knownStepIds.join(', ')}.`
  throw new TypeError(`Workflow "${workflowId}" has no step "${String(stepId)}". ${has}`)
}
