import type { JsonObject } from '@trestle/protocol'
import type { CallBridge } from '../bridge/bridge-caller.ts'
import type { WorkflowManifests } from '../bridge/find-manifest.ts'
import type { ChildOptions, RunOptions } from '../context/run-options.ts'
import { type Subscribers, storeSubscriber, toSubscriber } from '../context/subscriber.ts'
import type { RunReport } from '../report/run-report.ts'
import { toMs } from '../report/time.ts'
import { addDescriptions } from './calls/run-context.ts'
import { createEventsApi } from './calls/serve-events.ts'
import type { SimulatedTrigger } from './calls/trigger-run.ts'
import { toSimulationKey } from './runs/plan-children.ts'
import { simulateService } from './runs/simulate-service.ts'
import type { Simulation } from './runs/simulation.ts'
import { createAlarms } from './timing/alarms.ts'
import { createDigestBuffer } from './timing/digest-buffer.ts'
import { createEventHub } from './timing/event-hub.ts'
import { createThrottleCounter } from './timing/throttle-counter.ts'
import { toReport } from './to-report.ts'

/**
 * Runs a workflow from its trigger to its last step.
 *
 * @param options - The trigger, and test settings.
 * @throws TypeError - A stub or a control value names an unknown step, or a stub is not a valid result.
 * @throws NotRepeatableError - `replay` is on, and a replay gave a different result.
 * @throws RepeatedRequestError - `replay` is on, and the function sends requests itself.
 */
export async function runWorkflow(
  { call, workflow, workflows }: WorkflowManifests & { readonly call: CallBridge },
  options: RunOptions<JsonObject>,
): Promise<RunReport> {
  const listed = workflow.steps.map(({ stepId }) => stepId)
  const isComplete = workflow.complete === true || options.service === 'listed'
  if (isComplete) checkIds(workflow.workflowId, options, listed)
  const alarms = createAlarms()
  const events = createEventHub(alarms)
  const subscribers: Subscribers = new Map()
  const subscriber = storeSubscriber(subscribers, toSubscriber(options.subscriber))
  const simulation: Simulation = {
    ...{ call, workflow, options, subscriber, subscribers, refused: [], descriptions: new Map() },
    ...{ alarms, events, emit: events.emit, service: createEventsApi() },
    digests: createDigestBuffer(),
    throttles: createThrottleCounter(),
    ...{ workflows, simulations: new Map(), childrenOf: new Map() },
  }
  simulation.simulations.set(toSimulationKey(workflow.workflowId, subscriber), simulation)
  const described = workflow.steps.filter(({ reached }) => reached !== false)
  await addDescriptions(simulation, described)
  const runs = await simulateService(simulation, toTriggers(options))
  if (!isComplete) {
    const reached = runs.flatMap(({ reports }) => [...reports.keys()])
    checkIds(workflow.workflowId, options, [...new Set([...listed, ...reached])])
  }
  checkChildren(simulation)
  const [report, ...others] = runs.map((run) => toReport(simulation, run))
  return { ...(report as RunReport), refused: [...new Set(simulation.refused)], others }
}

/** Checks the names in the options of runs that steps triggered. */
function checkChildren({ options, workflows, childrenOf }: Simulation): void {
  for (const [workflowId, given] of Object.entries(options.children ?? {})) {
    const workflow = workflows.find((one) => one.workflowId === workflowId)
    if (!workflow)
      throw new TypeError(
        `The option children names "${workflowId}", but the bridge has no such workflow. Its workflows are: ${workflows.map((one) => one.workflowId).join(', ')}.`,
      )
    const runs = [...childrenOf.values()].flat().filter(({ simulation }) => simulation.workflow === workflow)
    const reached = runs.flatMap(({ run }) => [...run.reports.keys()])
    if (workflow.complete === true || runs.length > 0)
      checkIds(workflowId, given, [...new Set([...workflow.steps.map(({ stepId }) => stepId), ...reached])])
  }
}

function checkIds(workflowId: string, options: ChildOptions, knownStepIds: readonly string[]): void {
  for (const name of ['doubles', 'controls'] as const) {
    const unknown = Object.keys(options[name] ?? {}).find((id) => !knownStepIds.includes(id))
    if (unknown !== undefined)
      throw new TypeError(
        `The option ${name} names "${unknown}", but workflow "${workflowId}" has no such step. Its steps are: ${knownStepIds.join(', ')}.`,
      )
  }
}

function toTriggers({ now, payload, triggers = [] }: RunOptions<JsonObject>): readonly SimulatedTrigger[] {
  const nowMs = now === undefined ? Date.now() : toMs(now, 'now')
  return [{ payload: payload ?? {}, afterMs: 0 }, ...triggers].map(({ payload: data, afterMs = 0 }, index) => {
    return { id: `transaction-${index + 1}`, payload: data, overrides: {}, atMs: toMs(nowMs + afterMs, 'afterMs') }
  })
}
