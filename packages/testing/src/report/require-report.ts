import { isObject } from './is-object.ts'
import { printValue } from './print-value.ts'
import type { RunReport, StepReport } from './run-report.ts'

/**
 * Returns what a function was given, if it is the report of a run.
 *
 * @param given - What it was given.
 * @throws TypeError - It is a promise that nobody awaited, or something else.
 */
export function requireReport(given: unknown): RunReport {
  if (isObject(given) && typeof given['then'] === 'function')
    throw new TypeError(
      'This is a promise, and not yet the report of a run: an await is missing. Write `await bridge.run(…)`.',
    )
  if (isObject(given) && isObject(given['steps']) && Array.isArray(given['sent']) && 'workflowId' in given)
    return given as unknown as RunReport
  throw new TypeError(`This is not the report of a run, as bridge.run returns it: ${printValue(given).slice(0, 200)}.`)
}

/**
 * Returns what became of a step.
 *
 * @param report - The run.
 * @param stepId - The step.
 * @throws TypeError - The workflow does not have the step; a negation must not pass on a misspelled id.
 */
export function requireStep({ workflowId, steps }: RunReport, stepId: string): StepReport {
  const step = Object.hasOwn(steps, stepId) ? steps[stepId] : undefined
  if (step) return step
  const known = Object.keys(steps)
  const has = known.length === 0 ? 'It has no steps at all.' : `It has: ${known.join(', ')}.`
  throw new TypeError(`Workflow "${workflowId}" has no step "${String(stepId)}". ${has}`)
}
