import type { JsonObject, WorkflowManifest } from '@trestle/protocol'
import type { RunOptions } from '../context/run-options.ts'
import type { RunReport } from '../report/run-report.ts'
import { toMs } from '../report/time.ts'
import { callStep, checkStubs, type RunContext } from './call-step.ts'
import { probeEnd } from './probe-end.ts'
import { simulateService } from './simulate-service.ts'
import type { SimulatedTrigger } from './simulation.ts'
import { createDigestBuffer } from './timing/digest-buffer.ts'
import { createThrottleCounter } from './timing/throttle-counter.ts'
import { toReport } from './to-report.ts'

/**
 * Runs a workflow from its trigger to its last step.
 *
 * @param given - The bridge and the workflow.
 * @param options - The trigger, and what the test sets.
 * @throws TypeError - A stub or controls are given for a step that the workflow does not have, or a stub cannot be a
 *   result of its step.
 * @throws NotRepeatableError - `replay` is on, and a repetition made a difference.
 * @throws RepeatedRequestError - `replay` is on, and the function reached out itself.
 */
export async function runWorkflow(
  given: Pick<RunContext, 'call' | 'workflow'>,
  options: RunOptions<JsonObject>,
): Promise<RunReport> {
  const { workflow } = given
  checkIds(workflow, 'doubles', options.doubles)
  checkIds(workflow, 'controls', options.controls)
  const context: RunContext = { ...given, options, refused: [] }
  await checkStubs(context)
  const simulation = {
    steps: workflow.steps,
    execute: callStep.bind(undefined, context),
    probeEnd: probeEnd.bind(undefined, context),
    digests: createDigestBuffer(),
    throttles: createThrottleCounter(),
  }
  const runs = await simulateService(simulation, toTriggers(options))
  const [report, ...others] = runs.map((run) => toReport(workflow, run))
  return { ...(report as RunReport), refused: [...new Set(context.refused)], others }
}

function checkIds({ workflowId, steps }: WorkflowManifest, what: string, given: object | undefined): void {
  const known = steps.map(({ stepId }) => stepId)
  const unknown = Object.keys(given ?? {}).find((id) => !known.includes(id))
  if (unknown === undefined) return
  throw new TypeError(
    `The option ${what} names "${unknown}", but workflow "${workflowId}" has no such step. It has: ${known.join(', ')}.`,
  )
}

function toTriggers({ now, payload, triggers = [] }: RunOptions<JsonObject>): readonly SimulatedTrigger[] {
  const nowMs = now === undefined ? Date.now() : toMs(now, 'now')
  return [{ payload: payload ?? {}, afterMs: 0 }, ...triggers].map(({ payload: data, afterMs = 0 }, index) => {
    return { id: `transaction-${index + 1}`, payload: data, atMs: toMs(nowMs + afterMs, 'afterMs') }
  })
}
