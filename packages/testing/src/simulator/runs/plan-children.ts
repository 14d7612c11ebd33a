import { isObject, type JsonObject, type OpenStep, type WorkflowManifest } from '@trestle/protocol'
import { toChildTransactionId, toDepthFault, toDescendantsFault, toRecipientFault } from '@trestle/run-rules'
import { type NamedSubscriber, storeSubscriber } from '../../context/subscriber.ts'
import { createTriggerRun, type TriggerRun } from '../calls/trigger-run.ts'
import { createDigestBuffer } from '../timing/digest-buffer.ts'
import { createThrottleCounter } from '../timing/throttle-counter.ts'
import type { ChildRun, Simulation } from './simulation.ts'

/**
 * Plans the runs that a step triggers, and adds them to its run.
 *
 * @param simulation - The simulation of the step's run.
 * @param step - The step, and the output of its handler.
 * @returns The runs, or why the service refuses the step.
 */
export function planChildren(
  simulation: Simulation,
  run: TriggerRun,
  { step: { stepId }, outputs }: { readonly step: OpenStep; readonly outputs: JsonObject },
): readonly ChildRun[] | string {
  const { workflow: workflowId, to, payload = {}, overrides = {} } = outputs
  const workflow = simulation.workflows.find((one) => one.workflowId === workflowId)
  if (!workflow)
    return `the bridge has no workflow "${String(workflowId)}". If it belongs to another app, give the step a double`
  const recipients = toRecipients(to)
  if (typeof recipients === 'string') return recipients
  const count = countDescendants(simulation, run) + recipients.length
  const fault = toDepthFault(run.depth) ?? toRecipientFault(recipients.length) ?? toDescendantsFault(count)
  if (fault !== undefined) return fault
  const id = toChildTransactionId({ runId: run.trigger.id, stepId })
  return recipients.map((subscriber, index) => {
    const trigger = {
      ...{ id: index === 0 ? id : `${id}:${index + 1}`, atMs: run.nowMs },
      ...{ payload: payload as JsonObject, overrides: overrides as JsonObject },
    }
    const ofChild = toSimulation(simulation, workflow, subscriber)
    return { stepId, simulation: ofChild, run: createTriggerRun(trigger, run.depth + 1) }
  })
}

/** Returns how many runs the first run and the runs below it have triggered. */
function countDescendants({ childrenOf }: Simulation, run: TriggerRun): number {
  let root = run
  for (let depth = run.depth; depth > 0; depth--)
    for (const [parent, children] of childrenOf) if (children.some((child) => child.run === root)) root = parent
  let count = 0
  let level = [root]
  while (level.length > 0) {
    level = level.flatMap((one) => childrenOf.get(one)?.map((child) => child.run) ?? [])
    count += level.length
  }
  return count
}

/** Returns the recipients, each once. */
function toRecipients(to: unknown): readonly NamedSubscriber[] | string {
  const recipients = new Map<string, NamedSubscriber>()
  for (const one of Array.isArray(to) ? to : [to]) {
    if (isObject(one) && typeof one['topicKey'] === 'string')
      return `the kit does not know the members of topic "${one['topicKey']}": give the step a double`
    const { subscriberId, ...fields } = typeof one === 'string' ? { subscriberId: one } : isObject(one) ? one : {}
    if (typeof subscriberId !== 'string' || subscriberId.trim() === '')
      return 'to must be a subscriber id, an object with a subscriberId, or a list of these'
    recipients.set(subscriberId, { ...recipients.get(subscriberId), ...fields, subscriberId })
  }
  return [...recipients.values()]
}

/** Runs of the same workflow for the same recipient share digests and throttles. */
function toSimulation(parent: Simulation, workflow: WorkflowManifest, recipient: NamedSubscriber): Simulation {
  const subscriber = storeSubscriber(parent.subscribers, recipient)
  const key = toSimulationKey(workflow.workflowId, subscriber)
  const existing = parent.simulations.get(key)
  if (existing) return existing
  const {
    payload: _,
    triggers: _triggers,
    events: _events,
    controls: _controls,
    doubles: _doubles,
    ...rest
  } = parent.options
  const options = { ...rest, ...rest.children?.[workflow.workflowId] }
  const simulation: Simulation = {
    ...{ ...parent, workflow, options, subscriber, descriptions: new Map() },
    digests: createDigestBuffer(),
    throttles: createThrottleCounter(),
  }
  parent.simulations.set(key, simulation)
  return simulation
}

/**
 * Identifies the simulation of a workflow for a recipient.
 *
 * @param workflowId - The id of the workflow.
 * @param recipient - The recipient.
 */
export function toSimulationKey(workflowId: string, { subscriberId }: NamedSubscriber): string {
  return JSON.stringify([workflowId, subscriberId])
}
