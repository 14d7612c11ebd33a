import {
  type ExecuteEvent,
  isCodedError,
  type JsonObject,
  type StepManifest,
  type StepReply,
  type WorkflowManifest,
} from '@trestle/protocol'
import type { CallBridge } from '../bridge/bridge-caller.ts'
import { checkResult } from '../bridge/check-result.ts'
import type { RunOptions } from '../context/run-options.ts'
import { isFailure, storesOutputs } from '../context/step-stub.ts'
import { createTestContext, type TestContext } from '../context/test-context.ts'
import { checkDeterminism } from './check-determinism.ts'
import type { StepAnswer, TriggerRun } from './simulation.ts'
import { toEvent } from './to-event.ts'

/** The parts that all calls of a run share. */
export interface RunContext {
  /** Calls the bridge. */
  readonly call: CallBridge
  /** The workflow, as the bridge discovers it. */
  readonly workflow: WorkflowManifest
  /** The options of the run. */
  readonly options: RunOptions<JsonObject>
  /** URLs that were refused; grows while the run goes on. */
  readonly refused: string[]
}

/** The call of one step. */
export interface StepCallInput {
  /** The trigger on its way. */
  readonly run: TriggerRun
  /** The step's id. */
  readonly stepId: string
}

/**
 * Calls the bridge to run a step, again under changed circumstances where the run is to be replayed.
 *
 * @param context - The parts that all calls share.
 * @param run - The trigger on its way.
 * @param step - The step.
 * @throws NotRepeatableError - A repetition made a difference.
 * @throws RepeatedRequestError - The function reached out itself, and the run is to be replayed.
 * @throws TypeError - A stub returned what cannot be the step's result.
 */
export async function callStep(context: RunContext, run: TriggerRun, step: StepManifest): Promise<StepAnswer> {
  const { workflowId } = context.workflow
  const body = toBody(context, { run, stepId: step.stepId })
  const call = (testContext: TestContext): Promise<StepAnswer> =>
    answerOf(context.call, { action: 'execute', workflowId, stepId: step.stepId, body }, testContext)
  const testContext = toTestContext(context, run)
  const answer = await call(testContext)
  if (testContext.results.has(step.stepId)) await checkResult(step, testContext.results.get(step.stepId))
  if (context.options.replay === 'every-step')
    await checkDeterminism({ workflowId, step, context: testContext, answer }, call)
  return answer
}

/**
 * Returns the body of a step's call, every part present as the service sends it.
 *
 * @param context - The parts that all calls share.
 * @param input - The run and the step.
 */
export function toBody({ options }: RunContext, { run, stepId }: StepCallInput): ExecuteEvent {
  return toEvent(options, {
    payload: run.trigger.payload,
    controls: options.controls?.[stepId] ?? {},
    state: run.state,
    jobId: `${run.trigger.id}.${stepId}`,
  })
}

/**
 * Creates the test context of a run's next call.
 *
 * @param context - The parts that all calls share.
 * @param run - The trigger on its way.
 */
export function toTestContext({ options, refused }: RunContext, run: TriggerRun): TestContext {
  const { network = 'refuse', doubles = {} } = options
  return createTestContext(run.nowMs, { network, refused, stubs: new Map(Object.entries(doubles)), calls: [] })
}

async function answerOf(
  call: CallBridge,
  description: Parameters<CallBridge>[0],
  context: TestContext,
): Promise<StepAnswer> {
  const startMs = performance.now()
  try {
    const { body, durationMs } = await call<StepReply>(description, context)
    const result = resultOf(context, description.stepId ?? '')
    return { reply: body, durationMs, ...(result && { result }) }
  } catch (error) {
    if (!isCodedError(error)) throw error
    const { code, status, message, data } = error
    return { error: { code, status, message, data }, durationMs: performance.now() - startMs }
  }
}

/** Returns what a stub wants stored: what its function returned, or the stub itself. */
function resultOf({ results, stubs }: TestContext, stepId: string): JsonObject | undefined {
  const returned = results.get(stepId)
  if (returned) return returned
  const stub = stubs.get(stepId)
  return stub === undefined || typeof stub === 'function' || isFailure(stub) ? undefined : stub
}

/**
 * Checks the stubs that are values, before the first call.
 *
 * @param context - The parts that all calls share.
 * @throws TypeError - One cannot be a result of its step.
 */
export async function checkStubs({ workflow, options: { doubles = {} } }: RunContext): Promise<void> {
  for (const step of workflow.steps) {
    const stub = Object.hasOwn(doubles, step.stepId) ? doubles[step.stepId] : undefined
    // The bridge holds the stub of a custom step against the step's own schema.
    const isResult = stub !== undefined && typeof stub !== 'function' && !isFailure(stub) && !storesOutputs(step.type)
    if (isResult) await checkResult(step, stub)
  }
}
