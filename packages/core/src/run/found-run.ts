import type { RegisteredWorkflow } from '../bridge/registered-workflow.ts'
import { discoverWorkflow } from '../discovery/discover-workflow.ts'
import type { ExploredRun } from '../discovery/discovery.ts'

/**
 * Returns a discovery run that reaches a step; `undefined` if there is none. Prefers a run that ended normally, with
 * the fullest data and the fewest variations, which is best for display.
 *
 * @param workflow - The workflow to search.
 * @param stepId - The id of the step that the run must reach.
 * @throws CodedError - `WorkflowDiscoveryFailedError`, `StepAlreadyExistsError`.
 */
export async function findRun(workflow: RegisteredWorkflow, stepId: string): Promise<ExploredRun | undefined> {
  const { runs } = await discoverWorkflow(workflow)
  const matchingRuns = runs.filter(({ ids }) => ids.has(stepId))
  const [best] = matchingRuns.toSorted((one, other) => rankOf(one) - rankOf(other))
  return best
}

/** Returns the rank of a run; runs with lower ranks are preferred for display. */
function rankOf({ variation: { base, changes }, hasEnded }: ExploredRun): number {
  return (hasEnded ? 0 : 2e6) + (base === 'fullest' ? 0 : 1e6) + changes.size
}
