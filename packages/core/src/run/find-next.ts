import type { Deadline } from '../call/deadline.ts'
import type { StepCall } from '../workflow/steps/step-call.ts'
import { startRun } from './run.ts'
import { functionFailed } from './state/function-failed.ts'
import { watchForRest, whenSilent } from './state/rest.ts'
import { createRunState, failRun, type RunGoal, type RunState } from './state/run-state.ts'
import type { RunScope, StepOutcome } from './state/step-run.ts'
import { runDecisive } from './step/resolve-step-call.ts'

/** The next steps of a run. */
export type NextOutcome =
  /** The only open step, which was executed. */
  | { readonly kind: 'executed'; readonly call: StepCall; readonly outcome: StepOutcome }
  /** The open steps, not executed; empty if the run awaits steps that were returned before. */
  | { readonly kind: 'open'; readonly calls: readonly StepCall[] }
  /** The function has returned, and no step is open. */
  | { readonly kind: 'done' }

/**
 * Runs a workflow function from its start until it is idle and only waits for steps. A single open step is executed
 * immediately; several are returned.
 *
 * @param scope - The workflow and the call's data, including the steps that were returned before.
 * @param deadline - The deadline of the run.
 * @throws CodedError - The failure of the function, or of the executed step.
 * @source bridge-protocol.md#continuing-a-run
 */
export function findNext(scope: RunScope, deadline: Deadline): Promise<NextOutcome> {
  return new Promise((resolve, reject) => {
    const settle = {
      resolve: (outcome: StepOutcome) => {
        if (state.decisive) resolve({ kind: 'executed', call: state.decisive, outcome })
      },
      reject,
    }
    const goal = createGoal((outcome) => {
      state.ended = true
      resolve(outcome)
    })
    const state = createRunState(scope, deadline, { settle, goal })
    startRun(state)
  })
}

function createGoal(end: (outcome: NextOutcome) => void): RunGoal {
  let thrown: { readonly error: unknown } | undefined
  const goal: RunGoal = {
    watch: (run) => watchForRest(run, decide),
    // Started steps finish first.
    onThrow(run, error) {
      thrown = { error }
      goal.watch(run)
    },
  }
  const decide = (run: RunState): void => {
    const { reached: unstored = [], event } = run.scope
    const { taken, wait } = event.next ?? { taken: new Set(), wait: 0 }
    const open = unstored.filter(({ id }) => !taken.has(id))
    const [only] = open
    if (only && open.length === 1 && taken.size === 0) runDecisive(run, toStepScope(run.scope, only), only)
    else if (only) end({ kind: 'open', calls: open })
    // Otherwise the function awaits something other than a step, and may then call one.
    else if (run.returned || unstored.length > 0) whenSilent(run, wait, () => conclude(run))
  }
  const conclude = (run: RunState): void => {
    const hasTaken = (run.scope.event.next?.taken.size ?? 0) > 0
    if (!run.returned || (thrown && hasTaken)) {
      end({ kind: 'open', calls: [] })
    } else if (thrown) {
      failRun(run, functionFailed(run, thrown.error))
    } else {
      run.reportsLateCalls = !hasTaken
      end({ kind: 'done' })
    }
  }
  return goal
}

/** Returns the inputs of a run for a step that the call did not name. */
function toStepScope(scope: RunScope, { id }: StepCall): RunScope {
  const { event } = scope
  const saved = event.next?.stepControls ?? {}
  const controls = Object.hasOwn(saved, id) ? saved[id] : undefined
  // The original and the returned scope share the warnings.
  scope.warnings ??= []
  return { ...scope, stepId: id, event: { ...event, controls: controls ?? {} } }
}
