import type { StepFailure } from '../../report/run-report.ts'

/**
 * Returns the failure of a run with too many steps.
 *
 * @param maxSteps - The maximum number of steps in a run.
 */
export function tooManySteps(workflowId: string, maxSteps: number): StepFailure {
  return runFailure(
    `Workflow "${workflowId}" has called more than ${maxSteps} steps in one run. Check for an endless loop.`,
  )
}

/** Returns the failure of a run that awaits steps that were never returned. */
export function stuckRun(workflowId: string): StepFailure {
  return runFailure(`Workflow "${workflowId}" awaits steps that an earlier call started and this call did not.`)
}

/**
 * Returns the failure for a step that the run calls when the next steps are requested, but not when the step itself is
 * called.
 */
export function unreachedStep(workflowId: string, stepId: string): StepFailure {
  return runFailure(
    `Workflow "${workflowId}" returned step "${stepId}" as the next step, but did not reach it when the step ` +
      'was called. Does its path depend on random values, the clock or I/O?',
  )
}

function runFailure(message: string): StepFailure {
  return { code: 'WorkflowExecutionFailedError', status: 502, message, data: null }
}
