import {
  type ExecuteEvent,
  isCodedError,
  type JsonObject,
  type NextEvent,
  type NextReply,
  type OpenStep,
  type StepReply,
} from '@trestle/protocol'
import { checkResult } from '../../bridge/check-result.ts'
import type { CallDescription } from '../../bridge/signed-request.ts'
import { isWorkingOutside } from '../../context/real-work.ts'
import { isFailure } from '../../context/step-stub.ts'
import type { TestContext } from '../../context/test-context.ts'
import type { StepFailure } from '../../report/run-report.ts'
import { toNamedStep } from '../rules/next-turn.ts'
import { checkDeterminism } from './check-determinism.ts'
import { addDescriptions, type RunContext, toTestContext, toUndescribed } from './run-context.ts'
import { type StepPart, toEvent } from './to-event.ts'
import type { TriggerRun } from './trigger-run.ts'

/** A bridge's response to one call. */
export interface BridgeAnswer<TReply> {
  /** The reply, if the call succeeded. */
  readonly reply?: TReply
  /** The failure, if the call failed. */
  readonly error?: StepFailure
  /** The executed step; absent if no step was executed. */
  readonly step?: OpenStep
  /** The result to store for a stub. */
  readonly result?: JsonObject
  /** How long the bridge took, in milliseconds. */
  readonly durationMs: number
  /**
   * Whether the workflow function still had work in progress, other than the steps in the reply, when the bridge
   * responded.
   */
  readonly isWorking: boolean
}

/** The response to a call of one step. */
export type StepAnswer = BridgeAnswer<StepReply>

/** The response to a request for the next steps. */
export type NextAnswer = BridgeAnswer<NextReply>

/** The parameters of a call for the next steps. */
export interface NextQuestion {
  /** Ids of the steps that were returned and have no result yet. */
  readonly taken: readonly string[]
  /** How long the code must be idle before a reply without steps, in milliseconds. */
  readonly waitMs: number
}

/**
 * Calls the bridge to run a step, as a list-driven service does.
 *
 * @param context - The parts shared by all calls.
 * @throws NotRepeatableError - A replay gave a different result.
 * @throws RepeatedRequestError - The workflow function sends requests itself, and the run is replayed.
 * @throws TypeError - A stub returned an invalid result.
 */
export function callListedStep(context: RunContext, run: TriggerRun, step: OpenStep): Promise<StepAnswer> {
  return callBridge(context, run, { body: toBody(context, run, step.stepId), step })
}

/**
 * Calls the bridge to run a step that the bridge has returned.
 *
 * @param context - The parts shared by all calls.
 * @param handedOut - The step, and all steps that the bridge has returned.
 * @throws TypeError, NotRepeatableError, RepeatedRequestError - See {@link callListedStep}.
 */
export function callHandedOut(
  context: RunContext,
  run: TriggerRun,
  { step, taken }: Pick<NextQuestion, 'taken'> & { readonly step: OpenStep },
): Promise<StepAnswer> {
  const body = { ...toBody(context, run, step.stepId), ...toNextFields(context, run, taken) } satisfies NextEvent
  return callBridge(context, run, { body, step })
}

/**
 * Requests the next steps of a run from the bridge.
 *
 * @param context - The parts shared by all calls.
 * @param question - The steps already returned, and how long the bridge waits.
 * @throws TypeError, NotRepeatableError, RepeatedRequestError - See {@link callListedStep}.
 */
export function askNext(context: RunContext, run: TriggerRun, { taken, waitMs }: NextQuestion): Promise<NextAnswer> {
  const { payload } = run.trigger
  const body = {
    ...toRunEvent(context, { payload, controls: {}, state: run.state }),
    ...toNextFields(context, run, taken),
    stepControls: context.options.controls ?? {},
    wait: waitMs,
  } satisfies NextEvent
  return callBridge(context, run, { body })
}

/**
 * Finds the steps that a run has called and that have no results, without executing any. Hooks do not see the call.
 *
 * @param context - The parts shared by all calls.
 */
export async function findOpenSteps(context: RunContext, run: TriggerRun): Promise<readonly OpenStep[]> {
  const { payload } = run.trigger
  const event = toRunEvent(context, { payload, controls: {}, state: run.state })
  // The bridge only executes a step if none was returned before, and no step has an empty id.
  const body = { ...event, next: true, taken: [{ stepId: '' }] } satisfies NextEvent
  const { reply } = await answerOf<NextReply>(context, { body }, { ...toTestContext(context, run), isProbe: true })
  return reply && 'open' in reply ? reply.open : []
}

function toBody(context: RunContext, { trigger, state }: TriggerRun, stepId: string): ExecuteEvent {
  const controls = context.options.controls?.[stepId] ?? {}
  return toRunEvent(context, { payload: trigger.payload, controls, state, jobId: `${trigger.id}.${stepId}` })
}

function toRunEvent({ options, subscriber }: RunContext, part: StepPart): ExecuteEvent {
  return toEvent({ ...options, subscriber }, part)
}

function toNextFields(context: RunContext, { trigger }: TriggerRun, taken: readonly string[]) {
  return {
    next: true,
    runId: trigger.id,
    taken: taken.map((stepId) => ({ stepId })),
    describe: toUndescribed(context),
  } as const
}

interface Call {
  readonly body: ExecuteEvent
  readonly step?: OpenStep
}

async function callBridge<TReply extends NextReply | StepReply>(
  context: RunContext,
  run: TriggerRun,
  call: Call,
): Promise<BridgeAnswer<TReply>> {
  const { workflowId } = context.workflow
  const send = (testContext: TestContext): Promise<BridgeAnswer<TReply>> => answerOf(context, call, testContext)
  const testContext = toTestContext(context, run)
  const answer = await send(testContext)
  await addDescriptions(context, answer.reply?.metadata.steps ?? [])
  const { stepId = '' } = answer.step ?? {}
  const description = context.descriptions.get(stepId)
  if (description && testContext.results.has(stepId)) await checkResult(description, testContext.results.get(stepId))
  if (context.options.replay === 'every-step')
    await checkDeterminism({ workflowId, context: testContext, answer }, send)
  return answer
}

async function answerOf<TReply extends NextReply | StepReply>(
  { call, workflow: { workflowId } }: RunContext,
  { body, step }: Call,
  context: TestContext,
): Promise<BridgeAnswer<TReply>> {
  const description: CallDescription = { action: 'execute', workflowId, stepId: step?.stepId, body }
  const startMs = performance.now()
  try {
    const { body: reply, durationMs } = await call<TReply>(description, context)
    const executed = step ?? ('step' in reply ? reply.step : undefined)
    const result = executed && resultOf(context, executed.stepId)
    const isWorking = isWorkingOutside(context.functionWork) || hasLateCall(context, { event: body, executed, reply })
    return { reply, durationMs, isWorking, ...(executed && { step: executed }), ...(result && { result }) }
  } catch (error) {
    if (!isCodedError(error)) throw error
    const { code, status, message, data } = error
    const failure = { code, status, message, data }
    const failed = step ?? toNamedStep(failure)
    const durationMs = performance.now() - startMs
    return { error: failure, durationMs, isWorking: false, ...(failed && { step: failed }) }
  }
}

interface AnsweredCall {
  readonly event: ExecuteEvent | NextEvent
  readonly executed: OpenStep | undefined
  readonly reply: NextReply | StepReply
}

/** Returns whether the function called a step after the bridge had decided about its reply. */
function hasLateCall({ calls = [] }: TestContext, { event, executed, reply }: AnsweredCall): boolean {
  const open = 'open' in reply ? reply.open : []
  const taken = 'taken' in event ? (event.taken ?? []) : []
  const knownStepIds = new Set(
    [...event.state, ...taken, ...open, ...(executed ? [executed] : [])].map(({ stepId }) => stepId),
  )
  return calls.some(({ stepId }) => !knownStepIds.has(stepId))
}

/** Returns the result to store for a stub: its function's result, or the stub itself. */
function resultOf({ results, stubs }: TestContext, stepId: string): JsonObject | undefined {
  const returned = results.get(stepId)
  if (returned) return returned
  const stub = stubs.get(stepId)
  return stub === undefined || typeof stub === 'function' || isFailure(stub) ? undefined : stub
}
