import type { RunRow } from '../../store/schema/run.ts'

/**
 * Returns the lane of a run's work: one workflow of one environment.
 *
 * @param run - The run, or its trigger.
 */
export function toLane(run: Pick<RunRow, 'environmentId' | 'workflowIdentifier'>): string {
  return `${run.environmentId}/${run.workflowIdentifier}`
}
