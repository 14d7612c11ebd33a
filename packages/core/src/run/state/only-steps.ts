import { lazy } from '../../base/lazy.ts'
import type { RunState } from './run-state.ts'

// Loaded only if a run is idle without a step to execute or return.
const reading = lazy(() => import('../text/only-steps.ts'))

const readingCalls = lazy(() => import('../text/awaits-each-step.ts'))

/**
 * Calls back with whether the function's source shows that it awaits only steps.
 *
 * @param run - The run of the function.
 * @param callback - Called with the result; immediately, if the source was read before.
 */
export function whetherOnlySteps({ scope }: RunState, callback: (isOnlySteps: boolean) => void): void {
  const module = reading()
  if (module instanceof Promise)
    void module.then(
      ({ awaitsOnlySteps }) => callback(awaitsOnlySteps(scope.workflow)),
      // The module may be missing, such as after a deployment.
      () => callback(false),
    )
  else callback(module.awaitsOnlySteps(scope.workflow))
}

/**
 * Returns whether the function's source shows that it awaits every step at its call site; false until the source is
 * read.
 *
 * @param run - The run.
 */
export function isOneAtATime({ scope }: RunState): boolean {
  const module = readingCalls()
  return !(module instanceof Promise) && module.awaitsEachStep(scope.workflow)
}
