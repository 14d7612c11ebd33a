import type { RegisteredWorkflow } from '../bridge/registered-workflow.ts'
import type { Discovery } from './discovery.ts'
import { addLearned, noteReached, type ReachedStep } from './learned-steps.ts'

// Apart from what discovers: runs ask what is known, and must not load all of discovery for it.

/** Discoveries as found, and the same with learned steps. */
const bases = new WeakMap<RegisteredWorkflow, Discovery>()
const settled = new WeakMap<RegisteredWorkflow, Discovery>()

/**
 * Returns what discovery has found in this process, learned steps included; `undefined` while it has not run.
 *
 * @param workflow - The workflow.
 */
export function peekDiscovery(workflow: RegisteredWorkflow): Discovery | undefined {
  return settled.get(workflow)
}

/**
 * Keeps what discovery has found, and returns it with the steps that runs have reached besides.
 *
 * @param workflow - The workflow.
 * @param base - What was found.
 */
export function keepDiscovery(workflow: RegisteredWorkflow, base: Discovery): Discovery {
  const discovery = addLearned(workflow, base)
  bases.set(workflow, base)
  settled.set(workflow, discovery)
  workflow.stepCount = discovery.steps.length
  return discovery
}

/**
 * Takes over what a real run has reached. A step that discovery does not list is listed from now on.
 *
 * @param workflow - The workflow.
 * @param reached - The step.
 * @returns Whether the step is learned just now.
 */
export function learnStep(workflow: RegisteredWorkflow, reached: ReachedStep): boolean {
  const found = settled.get(workflow)
  if (!noteReached(workflow, reached, found) || !found) return false
  keepDiscovery(workflow, bases.get(workflow) ?? found)
  return true
}
