import {
  isCodedError,
  type JsonObject,
  type StepManifest,
  type StepReply,
  type WorkflowManifest,
} from '@trestle/protocol'
import type { CallBridge } from '../bridge/bridge-caller.ts'
import { type RunOptions, toMs } from '../context/run-options.ts'
import { isFailure } from '../context/step-stub.ts'
import { createScene, type Scene } from '../context/test-context.ts'
import type { RunReport } from '../report/run-report.ts'
import { rehearse } from './check-determinism.ts'
import { createDigestDesk } from './digest-buffer.ts'
import { play } from './simulate-service.ts'
import type { Play, PlayedTrigger, StepAnswer } from './simulation.ts'
import { createThrottleDesk } from './throttle-counter.ts'
import { toEvent } from './to-event.ts'
import { toReport } from './to-report.ts'

/** What a run needs beside its options. */
export interface RunContext {
  /** Calls the bridge. */
  readonly call: CallBridge
  /** The workflow, as the bridge tells it. */
  readonly workflow: WorkflowManifest
}

/**
 * Runs a workflow from its trigger to its last step.
 *
 * @param context - The bridge and the workflow.
 * @param options - The trigger, and what the test sets.
 * @throws TypeError - A double or controls are given for a step that the workflow does not have.
 * @throws NotRepeatableError - `replay` is on, and a repetition made a difference.
 */
export async function runWorkflow(context: RunContext, options: RunOptions<JsonObject>): Promise<RunReport> {
  const { workflow } = context
  checkIds(workflow, 'doubles', options.doubles)
  checkIds(workflow, 'controls', options.controls)
  const refused: string[] = []
  const theatre = {
    steps: workflow.steps,
    execute: (current: Play, step: StepManifest) => execute(context, { options, refused, play: current, step }),
    digests: createDigestDesk(),
    throttles: createThrottleDesk(),
  }
  const plays = await play(theatre, toTriggers(options))
  const [report, ...others] = plays.map((played) => toReport(workflow.workflowId, played))
  return { ...(report as RunReport), refused, others }
}

function checkIds({ workflowId, steps }: WorkflowManifest, what: string, given: object | undefined): void {
  const known = steps.map(({ stepId }) => stepId)
  const unknown = Object.keys(given ?? {}).find((id) => !known.includes(id))
  if (unknown === undefined) return
  throw new TypeError(
    `The option ${what} names "${unknown}", but workflow "${workflowId}" has no such step. It has: ${known.join(', ')}.`,
  )
}

function toTriggers({ now, payload, triggers = [] }: RunOptions<JsonObject>): readonly PlayedTrigger[] {
  const nowMs = toMs(now)
  return [{ payload: payload ?? {}, afterMs: 0 }, ...triggers].map(({ payload: data, afterMs = 0 }, index) => {
    return { id: `transaction-${index + 1}`, payload: data, atMs: nowMs + afterMs }
  })
}

interface Act {
  readonly options: RunOptions<JsonObject>
  readonly refused: string[]
  readonly play: Play
  readonly step: StepManifest
}

async function execute({ call, workflow: { workflowId } }: RunContext, act: Act): Promise<StepAnswer> {
  const { options, play: current, step } = act
  const { stepId } = step
  const body = toEvent(options, {
    payload: current.trigger.payload,
    controls: options.controls?.[stepId] ?? {},
    state: current.state,
    jobId: `${current.trigger.id}.${stepId}`,
  })
  const ask = (scene: Scene): Promise<StepAnswer> =>
    answerOf(call, { action: 'execute', workflowId, stepId, body }, scene)
  const scene = toScene(act)
  const answer = await ask(scene)
  if (options.replay === 'every-step') await rehearse({ workflowId, step, scene, answer }, ask)
  return answer
}

function toScene({ options: { network = 'refuse', doubles = {} }, refused, play: current }: Act): Scene {
  const rest = { network, refused, doubles: new Map(Object.entries(doubles)), calls: [] }
  return createScene(current.nowMs, rest)
}

async function answerOf(call: CallBridge, description: Parameters<CallBridge>[0], scene: Scene): Promise<StepAnswer> {
  const startMs = performance.now()
  try {
    const { body, durationMs } = await call<StepReply>(description, scene)
    const result = resultOf(scene, description.stepId ?? '')
    return { reply: body, durationMs, ...(result && { result }) }
  } catch (error) {
    if (!isCodedError(error)) throw error
    const { code, status, message, data } = error
    return { error: { code, status, message, data }, durationMs: performance.now() - startMs }
  }
}

/** What a double wants stored: what its function gave, or the double itself. */
function resultOf({ results, doubles }: Scene, stepId: string): JsonObject | undefined {
  const given = results.get(stepId)
  if (given) return given
  const double = doubles.get(stepId)
  return double === undefined || typeof double === 'function' || isFailure(double) ? undefined : double
}
