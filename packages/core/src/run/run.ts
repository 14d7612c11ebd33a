import { CodedError } from '@trestle/protocol'
import { runGuarded } from '../base/rejection-guard.ts'
import type { Deadline } from '../call/deadline.ts'
import { createStep } from '../workflow/steps/create-step.ts'
import { toFailedStepData } from '../workflow/steps/step-data.ts'
import { abortSignal, type LazySignal, readSignal } from './state/lazy-signal.ts'
import { createRunState, failRun, type RunGoal, type RunState } from './state/run-state.ts'
import type { RunScope, StepOutcome } from './state/step-run.ts'
import { resolveStepCall } from './step/resolve-step-call.ts'
import { listedStep, unknownStep } from './unreached/detect-idle.ts'

const maxNamed = 50
const abortOf: unique symbol = Symbol('abort')

/**
 * Runs a workflow function from its start until the requested step has an outcome or can no longer be reached. Step
 * promises never reject, so a `catch` in the function can neither observe a failure nor hide the outcome.
 *
 * @param scope - The workflow, the step and the call's data.
 * @param deadline - The deadline of the run.
 * @param goal - Decides what happens if the run is idle without reaching the step.
 * @throws CodedError - The failure to return to the caller.
 * @source bridge-protocol.md#running-a-step
 */
export function run(scope: RunScope, deadline: Deadline, goal: RunGoal = listedStep): Promise<StepOutcome> {
  return new Promise((resolve, reject) =>
    startRun(createRunState(scope, deadline, { settle: { resolve, reject }, goal })),
  )
}

/**
 * Starts a run; its outcome is passed to its `settle`.
 *
 * @param state - A run that has not been started.
 */
export function startRun(state: RunState): void {
  const { deadline } = state
  deadline.onExpire(() => expire(state))
  if (deadline.expired) expire(state)
  else callFunction(state)
  // From the second turn on, a step call shows that the function has awaited something other than a step.
  state.goal.watch(state)
}

// Shared, because a separate function would give each call a hidden class, which retains the call's data.
const signal: PropertyDescriptor = {
  enumerable: true,
  get(this: { readonly [abortOf]: LazySignal }) {
    return readSignal(this[abortOf])
  },
}

function callFunction(state: RunState): void {
  const { workflow, payload, subscriber, env, controls, event, abort, sampleData } = state.scope
  const step = createStep((call) => resolveStepCall(state, call), workflow.options)
  const { context: data, actor } = event
  const context = { step, payload, subscriber, env, controls, context: data, actor, [abortOf]: abort }
  // An own property, so that it survives `{ step, ...rest }`.
  Reflect.defineProperty(context, 'signal', signal)
  try {
    Promise.resolve(sampleData ? runGuarded(() => workflow.run(context)) : workflow.run(context)).then(
      () => onReturn(state),
      (error: unknown) => onThrow(state, error),
    )
  } catch (error) {
    onThrow(state, error)
  }
}

function onReturn(state: RunState): void {
  state.returned = true
  // An unawaited branch may still be running, and gets one more turn.
  state.goal.watch(state)
}

function onThrow(state: RunState, error: unknown): void {
  state.returned = true
  if (state.ended || state.reached) state.scope.onError(error, undefined, state.decisive)
  else state.goal.onThrow(state, error)
}

/** Ends the run before aborting, so that code resumed by the abort sees an ended run. */
function expire(state: RunState): void {
  const { scope, deadline, waiting, decisive, phase } = state
  const { workflow, stepId, abort } = scope
  const reached = decisive !== undefined
  const waits = waiting.length === 0 ? '' : ` Waiting steps without a result: ${waiting.slice(0, maxNamed).join(', ')}.`
  const what = reached || stepId === '' ? phase : `${phase}, before it reached step "${stepId}",`
  const error =
    state.unknownStep && !reached
      ? unknownStep(workflow.id, stepId)
      : new CodedError(
          'StepExecutionTimeoutError',
          `Workflow "${workflow.id}": ${what} took longer than ${deadline.timeoutMs} ms.${waits}`,
          { data: { timeoutMs: deadline.timeoutMs, ...(decisive && toFailedStepData(decisive, workflow.options)) } },
        )
  failRun(state, error)
  abortSignal(abort, error)
}
