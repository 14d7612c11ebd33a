import type { RegisteredWorkflow } from '../bridge/registered-workflow.ts'
import { discoverWorkflow } from '../discovery/discover-workflow.ts'
import type { ExploredRun } from '../discovery/discovery.ts'

/**
 * Returns a run of discovery that reaches a step; `undefined` where none does. Of several one with the fullest data and as
 * little of it changed as can be, since that is what a person wants to see.
 *
 * @param workflow - The workflow.
 * @param stepId - The step.
 * @throws CodedError - `WorkflowDiscoveryFailedError`, `StepAlreadyExistsError`.
 */
export async function findRun(workflow: RegisteredWorkflow, stepId: string): Promise<ExploredRun | undefined> {
  const { runs } = await discoverWorkflow(workflow)
  const found = runs.filter(({ calls }) => calls.has(stepId))
  const fullest = found.filter(({ variation }) => variation.base === 'fullest')
  const [best] = (fullest.length > 0 ? fullest : found).toSorted((one, other) => countOf(one) - countOf(other))
  return best
}

const countOf = ({ variation }: ExploredRun): number => variation.changes.size
