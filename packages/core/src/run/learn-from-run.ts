import type { Registry } from '../bridge/registry.ts'
import { learnStep, notListed, peekDiscovery } from '../discovery/known-discoveries.ts'
import { addWarning } from './state/add-warning.ts'
import { called } from './state/memoized-steps.ts'
import type { RunScope } from './state/step-run.ts'

/**
 * Adds reached steps to discovery if they are missing or only known from the source text. An unlisted step is logged,
 * and named in the reply.
 *
 * @param registry - The state of the bridge.
 * @param scope - The run, which has ended.
 */
export function learnFromRun(registry: Registry, scope: RunScope): void {
  const { workflow, reached = [] } = scope
  for (const call of reached) {
    const discovery = peekDiscovery(workflow)
    if (discovery?.reached.has(call.id)) continue
    const isListed = discovery?.ids.has(call.id) ?? false
    if (!learnStep(workflow, { call, before: () => toBefore(scope) })) continue
    // Invalidates the cached manifest, which the next discover creates again.
    registry.manifest = undefined
    // A service that asks for the next steps is not affected.
    if (isListed || scope.event.next) continue
    const warning = notListed(workflow.id, call.id)
    registry.notices.once(warning.message, warning.code)
    addWarning(scope, warning)
  }
}

/** Returns the steps with a stored result that the run has called, oldest first. */
function toBefore({ event, memoizedSteps }: RunScope): readonly string[] {
  const stored = new Set(event.state.map(({ stepId }) => stepId))
  return [...memoizedSteps].flatMap(([id, slot]) => (slot === called && stored.has(id) ? [id] : []))
}
