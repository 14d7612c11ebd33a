import type { Registry } from '../bridge/registry.ts'
import { learnStep, peekDiscovery } from '../discovery/known-discoveries.ts'
import { notListed, type ReachedStep } from '../discovery/learned-steps.ts'
import { addWarning } from './state/add-warning.ts'
import { called } from './state/memoized-steps.ts'
import type { RunScope } from './state/step-run.ts'

/**
 * Takes over the steps that a run has reached and that discovery does not list: they are logged, listed by the next
 * `discover`, and named in the reply.
 *
 * @param registry - The bridge.
 * @param scope - The run, which has ended.
 */
export function learnFromRun(registry: Registry, scope: RunScope): void {
  const { workflow, reached = [] } = scope
  const discovery = peekDiscovery(workflow)
  for (const call of reached)
    if (!discovery?.ids.has(call.id)) learn(registry, scope, { call, before: () => toBefore(scope) })
}

/**
 * Takes over one step that discovery does not list.
 *
 * @param registry - The bridge.
 * @param scope - The run that has shown it.
 * @param reached - The step.
 */
export function learn(registry: Registry, scope: RunScope, reached: ReachedStep): void {
  const { workflow } = scope
  if (!learnStep(workflow, reached)) return
  // Printed anew by the next discover.
  registry.manifest = undefined
  const warning = notListed(workflow.id, reached.call.id)
  registry.notices.once(warning.message, warning.code)
  addWarning(scope, warning)
}

/** The steps with a stored result that the run has called, oldest first. */
function toBefore({ event, memoizedSteps }: RunScope): readonly string[] {
  const stored = new Set(event.state.map(({ stepId }) => stepId))
  return [...memoizedSteps].flatMap(([id, slot]) => (slot === called && stored.has(id) ? [id] : []))
}
