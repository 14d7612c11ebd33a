import { isOfClass, type JsonObject, type StepState } from '@trestle/protocol'
import { findWorkflow, type Registry } from '../bridge/registry.ts'
import type { StepEvent } from '../call/bridge-event.ts'
import type { CallScope } from '../call/call-scope.ts'
import { parseEventAgain } from '../call/parse.ts'
import { stepKinds } from '../workflow/steps/step-kinds.ts'
import type { NextOutcome } from './find-next.ts'
import { startRun } from './run.ts'
import { checkPayload } from './state/check-payload.ts'
import { watchForRest } from './state/rest.ts'
import { toRunScope } from './state/run-scope.ts'
import { createRunState, type RunGoal } from './state/run-state.ts'
import type { RunScope } from './state/step-run.ts'
import { awaitsOnlySteps } from './text/only-steps.ts'

/** The check runs the function again, which costs more than the call that it saves if many results are stored. */
const maxStored = 8

/** A run whose only open step was executed. */
export interface ExecutedStep {
  readonly call: StepEvent
  readonly scope: CallScope
  readonly outcome: Extract<NextOutcome, { readonly kind: 'executed' }>
}

/**
 * Returns whether a run is done once the executed step has completed. Runs the function again with the result of the
 * step, but without running any step. Returns false if the function may await something other than steps.
 *
 * @param registry - The state of the bridge.
 * @param executed - The call, and the step that it executed.
 * @source bridge-protocol.md#the-final-step
 */
export async function isFinal(registry: Registry, { call, scope, outcome }: ExecutedStep): Promise<boolean> {
  const { event } = call
  const outputs = toResult(outcome)
  if (outputs === undefined || event.state.length >= maxStored) return false
  const workflow = findWorkflow(registry, call.workflowId)
  if (!awaitsOnlySteps(workflow)) return false
  const entry: StepState = { stepId: outcome.call.id, outputs, state: { status: 'completed' } }
  // Parsed again, because the function may have changed the data.
  const parsed = parseEventAgain(event.body)
  const again = { ...call, event: { ...parsed, state: [entry, ...parsed.state] } }
  const payload = await checkPayload(workflow, again.event.payload)
  return returns(await toRunScope(registry, workflow, { call: again, scope, payload }), scope)
}

/** Returns the result that later calls will contain if the step completes; undefined if the service determines it. */
function toResult({ call, outcome }: ExecutedStep['outcome']): JsonObject | undefined {
  const { type, empty } = stepKinds[call.kind]
  if (outcome.skip) return undefined
  if (isOfClass(type, 'message')) return structuredClone(empty)
  return isOfClass(type, 'data') ? structuredClone(outcome.outputs) : undefined
}

/** Returns whether a function that awaits only steps returns without calling a step that has no result. */
function returns(scope: RunScope, { deadline }: CallScope): Promise<boolean> {
  return new Promise((resolve) => {
    const goal: RunGoal = {
      watch: (run) =>
        watchForRest(run, () => {
          run.ended = true
          resolve(run.returned && scope.reached === undefined)
        }),
      onThrow: () => resolve(false),
    }
    const settle = { resolve: () => resolve(false), reject: () => resolve(false) }
    startRun(createRunState(scope, deadline, { settle, goal }))
  })
}
