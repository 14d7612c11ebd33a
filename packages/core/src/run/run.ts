import { CodedError } from '@trestle/protocol'
import { runGuarded } from '../base/rejection-guard.ts'
import { toThrown } from '../base/thrown.ts'
import type { Deadline } from '../call/deadline.ts'
import { createStep } from '../workflow/steps/create-step.ts'
import { abortSignal, type LazySignal, readSignal } from './state/lazy-signal.ts'
import { createRunState, failRun, type RunState } from './state/run-state.ts'
import type { RunScope, StepOutcome } from './state/step-run.ts'
import { resolveStepCall } from './step/resolve-step-call.ts'
import { scheduleIdleCheck, unknownStep } from './unreached/detect-idle.ts'

const abortOf: unique symbol = Symbol('abort')

/**
 * Runs a workflow function from its start until the requested step has given its outcome or cannot be reached any
 * more. No step promise rejects, so no `catch` of the function sees a failure and nothing can swallow the outcome.
 *
 * @param scope - The workflow, the step and the call's data.
 * @param deadline - When the run must have ended.
 * @throws CodedError - The failure the call is answered with.
 * @source Protocol, "Running a step".
 */
export function run(scope: RunScope, deadline: Deadline): Promise<StepOutcome> {
  return new Promise((resolve, reject) => {
    const state = createRunState(scope, deadline, { resolve, reject })
    deadline.onExpire(() => expire(state))
    if (deadline.expired) expire(state)
    else callFunction(state)
    // From the second turn on, a step call shows that the function awaited something that is no step.
    if (!state.reached && !state.ended) scheduleIdleCheck(state)
  })
}

// Shared, because a function of its own costs each call a hidden class, which keeps the call's data.
const signal: PropertyDescriptor = {
  enumerable: true,
  get(this: { readonly [abortOf]: LazySignal }) {
    return readSignal(this[abortOf])
  },
}

function callFunction(state: RunState): void {
  const { workflow, payload, subscriber, env, controls, event, abort, sampleData } = state.scope
  const step = createStep((call) => resolveStepCall(state, call))
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
  // A branch that was not awaited may still be at work, and gets one more turn.
  if (!state.reached && !state.ended) scheduleIdleCheck(state)
}

function onThrow(state: RunState, error: unknown): void {
  const code = 'WorkflowExecutionFailedError'
  const late = state.ended || state.reached
  state.scope.onError(error, late ? undefined : code)
  if (late) return
  const { message, stack } = toThrown(error)
  const { workflow, stepId } = state.scope
  const text = `Workflow "${workflow.id}" failed before it reached step "${stepId}": ${message}`
  failRun(state, new CodedError(code, text, { data: { stack }, cause: error }))
}

/** Ends the run first, and aborts then: code that the abort wakes finds the run ended. */
function expire(state: RunState): void {
  const { scope, deadline, waiting, reached, phase } = state
  const { workflow, stepId, abort } = scope
  const waits = waiting.length === 0 ? '' : ` Steps without a result that wait: ${waiting.join(', ')}.`
  const what = reached ? phase : `${phase}, before it reached step "${stepId}",`
  const error =
    state.unknownStep && !reached
      ? unknownStep(workflow.id, stepId)
      : new CodedError(
          'StepExecutionTimeoutError',
          `Workflow "${workflow.id}": ${what} took longer than ${deadline.timeoutMs} ms.${waits}`,
          { data: { timeoutMs: deadline.timeoutMs } },
        )
  failRun(state, error)
  abortSignal(abort, error)
}
