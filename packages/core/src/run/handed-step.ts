import { whetherOnlySteps } from './state/only-steps.ts'
import { watchForRest, whenSilent } from './state/rest.ts'
import { endRun, type RunGoal, type RunState } from './state/run-state.ts'
import { notReached } from './state/step-run.ts'

// An unawaited branch may do I/O before it calls the step.
const silenceMs = 250

/**
 * The goal of a run for a step that an earlier reply returned for execution. The run does not decide whether the
 * function should reach the step: it waits until the function has ended and called nothing for a while, or awaits only
 * other steps, or until the deadline.
 */
export const handedStep: RunGoal = Object.freeze({
  watch: (run: RunState) => watchForRest(run, conclude),
  // The next call for the next steps reports the failure.
  onThrow: (run: RunState) => handedStep.watch(run),
})

function conclude(run: RunState): void {
  if (run.returned) whenSilent(run, silenceMs, () => endRun(run, notReached))
  else
    whetherOnlySteps(run, (isOnlySteps) => {
      if (isOnlySteps && !run.reached) endRun(run, notReached)
    })
}
