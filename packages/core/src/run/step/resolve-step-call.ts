import { CodedError, type Issue, type JsonObject, type StepState } from '@trestle/protocol'
import { isMadeUp } from '../../base/clone-guard.ts'
import { never } from '../../base/never.ts'
import { endSentence } from '../../base/thrown.ts'
import type { Verdict } from '../../schema/compiled-schema.ts'
import type { StepContext } from '../../workflow/kinds/signature.ts'
import { checkStepCall } from '../../workflow/steps/create-step.ts'
import type { StepCall } from '../../workflow/steps/step-call.ts'
import { copyOf, toContext, withContext } from '../../workflow/steps/step-context.ts'
import { toStepData } from '../../workflow/steps/step-data.ts'
import { stepKinds } from '../../workflow/steps/step-kinds.ts'
import { returnsFailure } from '../../workflow/steps/step-outcome.ts'
import { called, toStoredResult } from '../state/memoized-steps.ts'
import { readEvents, readResult } from '../state/read-result.ts'
import { replayResult } from '../state/replay-queue.ts'
import { endRun, failRun, type RunState } from '../state/run-state.ts'
import type { RunScope } from '../state/step-run.ts'
import { runStep } from './run-step.ts'

// Sample results are immediate, so an endless loop would block the thread.
const maxShownSteps = 2000
const settled = Promise.resolve()

/**
 * Handles one step call of the workflow function. The promise is fulfilled with a stored result or stays pending; it
 * never rejects.
 *
 * @param run - The run that makes the call.
 * @param call - The step call.
 * @throws TypeError - The step call is invalid.
 */
export function resolveStepCall(run: RunState, call: StepCall): Promise<unknown> {
  if (run.ended) return ignore(run, call)
  run.progress++
  if (run.turnPassed) run.awaitedIo = true
  const { memoizedSteps: slots, stepId } = run.scope
  // Calls of the requested step itself need no watching.
  if (call.id !== stepId) run.goal.watch(run)
  const slot = slots.get(call.id)
  if (slot === called) return fail(run, duplicateStep(run.scope.workflow.id, call.id))
  if (!slot || call.id === stepId) checkStepCall(call)
  slots.set(call.id, called)
  noteDescribed(run, call)
  if (!slot || call.id === stepId) noteUnstored(run, call)
  if (call.id === stepId) return reach(run, call)
  if (run.scope.sampleData) return resolveSample(run, call, slot)
  if (slot) return resolveMemoized(run, call, slot)
  run.waiting.push(call.id)
  return never()
}

function ignore({ reportsLateCalls, scope }: RunState, { id }: StepCall): Promise<never> {
  if (reportsLateCalls && !scope.memoizedSteps.has(id))
    scope.onError(new Error(`Step "${id}" was called after the workflow function had ended: await it.`), undefined)
  return never()
}

/**
 * Records a call without a stored result until the run has ended: the step may be returned as the next one, and
 * discovery may not have found it.
 */
function noteUnstored({ scope }: RunState, call: StepCall): void {
  if (scope.sampleData) return
  scope.reached ??= []
  scope.reached.push(call)
}

function noteDescribed({ scope }: RunState, call: StepCall): void {
  if (!scope.event.next?.describe.has(call.id)) return
  scope.described ??= []
  scope.described.push(call)
}

function noteHandled({ scope }: RunState, { id }: StepCall): void {
  scope.handled ??= []
  scope.handled.push(id)
}

function fail(run: RunState, error: unknown): Promise<never> {
  failRun(run, error)
  return never()
}

/**
 * Handles an error from a step call. Once the requested step is reached, only that step determines the outcome, so
 * errors of other steps are logged.
 */
function refuse(run: RunState, error: CodedError): Promise<never> {
  if (!run.reached) return fail(run, error)
  run.scope.onError(error, undefined, run.decisive)
  return never()
}

function reach(run: RunState, call: StepCall): Promise<never> {
  run.reached = true
  run.decisive = call
  // One microtask later, so that a second call of the same id in this statement is seen before the handler starts.
  void settled.then(() => runDecisive(run, run.scope, call))
  return never()
}

/**
 * Executes the step that determines the outcome, and ends the run with it.
 *
 * @param run - The run, whose outcome now depends only on this step.
 * @param scope - The inputs of the run, for this step.
 * @param call - The call of the step.
 */
export function runDecisive(run: RunState, scope: RunScope, call: StepCall): void {
  if (run.ended) return
  run.reached = true
  run.decisive = call
  runStep({ scope, call, progress: run }).then(
    (outcome) => endRun(run, outcome),
    (error: unknown) => failRun(run, error),
  )
}

function resolveMemoized(run: RunState, call: StepCall, stored: StepState): Promise<unknown> {
  const value = toStoredResult(stored, stepKinds[call.kind])
  if (stored.state.status === 'failed' && returnsFailure(call, run.scope.workflow.options)) noteHandled(run, call)
  if (stored.state.status !== 'completed')
    return replayResult(run, { id: call.id, value: withContext(value, contextOf(run, stored.state)) })
  try {
    const checked = readResult(run.scope.workflow, call, value)
    if (!(checked instanceof Promise)) return settle(run, { call, stored }, checked)
    run.checking++
    const settled = checked.then((verdict) => {
      run.checking--
      // The time was spent on validation, not in the function, so its calls now do not indicate other work.
      run.turnPassed = false
      return verdict.issues ? settle(run, { call, stored }, verdict) : complete(run, stored, verdict.value)
    })
    return replayResult(run, { id: call.id, value: settled, ready: checked })
  } catch (error) {
    return fail(run, error)
  }
}

/** Returns an earlier step's sample result, merged with a stored one. */
function resolveSample(run: RunState, call: StepCall, stored: StepState | undefined): Promise<unknown> {
  const { sampleData, workflow } = run.scope
  if (run.progress > maxShownSteps)
    return fail(run, new CodedError('WorkflowExecutionFailedError', tooManySteps(workflow.id), { data: { stack: '' } }))
  const context = sampleData?.contextOf(call)
  const state = stored?.state ?? context?.state ?? { status: 'completed' }
  try {
    if (stored && state.status !== 'completed')
      return Promise.resolve(withContext(toStoredResult(stored, stepKinds[call.kind]), contextOf(run, state)))
    const seen = stored || !context ? contextOf(run, state) : context
    const result = sampleData?.resultOf(call, stored?.outputs)
    const events =
      result instanceof Promise
        ? result.then((resolvedResult) => readEvents(workflow, call, resolvedResult))
        : readEvents(workflow, call, result)
    if (!(events instanceof Promise)) return Promise.resolve(show(run.scope, { call, outputs: events, seen }))
    return events.then(
      (outputs) => show(run.scope, { call, outputs, seen }),
      (error: unknown) => fail(run, error),
    )
  } catch (error) {
    return fail(run, error)
  }
}

/** Stores a sample result, so that templates of the requested step see the same data as the function. */
function show(
  scope: RunScope,
  { call, outputs, seen }: { readonly call: StepCall; readonly outputs: unknown; readonly seen: StepContext },
): unknown {
  scope.sampleResults ??= new Map()
  scope.sampleResults.set(call.id, outputs as JsonObject)
  // Sample data without a schema hides the context from templates itself.
  return withContext(isMadeUp(outputs) ? outputs : copyOf(outputs), seen)
}

function tooManySteps(workflowId: string): string {
  return `Workflow "${workflowId}" called more than ${maxShownSteps} steps on sample data. Check for an endless loop.`
}

function contextOf(run: RunState, state: StepState['state']): StepContext {
  if (state.status !== 'completed' || (state.error !== undefined && state.error !== null))
    return toContext(state, run.scope.nowMs)
  run.completed ??= toContext(state, run.scope.nowMs)
  return run.completed
}

interface StoredCall {
  readonly call: StepCall
  readonly stored: StepState
}

function settle(run: RunState, { call, stored }: StoredCall, verdict: Verdict): Promise<unknown> {
  if (verdict.issues) return refuse(run, invalidResult(run.scope.workflow.id, call, verdict.issues))
  return replayResult(run, { id: call.id, value: complete(run, stored, verdict.value) })
}

/** Adds the context to a result. Stored outputs are copied, because templates and `skip` read them too. */
function complete(run: RunState, { outputs, state }: StepState, value: unknown): unknown {
  return withContext(value === outputs ? copyOf(value) : value, contextOf(run, state))
}

function duplicateStep(workflowId: string, stepId: string): CodedError {
  return new CodedError(
    'StepAlreadyExistsError',
    `Workflow "${workflowId}" called step "${stepId}" twice in one run. Give each call its own id.`,
    { data: { workflowId, stepId } },
  )
}

function invalidResult(workflowId: string, call: StepCall, issues: readonly Issue[]): CodedError {
  const [first] = issues
  const where = first?.path ? `${first.path} ` : ''
  return new CodedError(
    'ExecutionStateResultInvalidError',
    endSentence(
      `Workflow "${workflowId}": the stored result of step "${call.id}" is invalid: ${where}${first?.message}`,
    ),
    { data: { ...toStepData(call), issues } },
  )
}
