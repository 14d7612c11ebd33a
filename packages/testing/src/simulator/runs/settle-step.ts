import type { JsonObject } from '@trestle/protocol'
import {
  settleReply,
  toChildrenResult,
  toChildTransactionId,
  toDigestResult,
  toEmptyResult,
  toSettlementFault,
  toTriggeredResult,
} from '@trestle/run-rules'
import type { StepFailure } from '../../report/run-report.ts'
import { type TriggerRun, toRunEnd } from '../calls/trigger-run.ts'
import type { DigestEntry } from '../timing/digest-buffer.ts'
import { planChildren } from './plan-children.ts'
import type { ExecutedStep } from './record-step.ts'
import type { ChildRun, Settlement, Simulation } from './simulation.ts'

/**
 * Applies a bridge's response as the service does: waits, stores a result, and decides whether the run continues. A
 * failed step does not end the run.
 *
 * @param simulation - The options of the run; the digests and throttles that several triggers share.
 */
export function settleStep(simulation: Simulation, run: TriggerRun, { step, answer }: ExecutedStep): Settlement {
  const { reply, error, result } = answer
  if (error || !reply) return { status: 'failed', result: () => ({}), ...(error && { error }) }
  const { nowMs, trigger } = run
  const { stepId, type } = step
  const { outputs } = reply
  const settlement = settleReply(reply, {
    ...{ type, nowMs, payload: trigger.payload, timezone: simulation.subscriber.timezone ?? null },
    ...{ overrides: trigger.overrides, schedule: undefined, preferences: {}, critical: false },
  })
  switch (settlement.kind) {
    case 'skipped':
    case 'filtered':
      return { status: 'skipped', result: () => ({}) }
    case 'invalid':
    case 'unsendable':
      return { status: 'failed', result: () => ({}), error: toSettlementFault(step, settlement) }
    case 'stored':
      return { status: 'completed', result: () => outputs }
    case 'delivered':
    case 'unthrottled':
      return { status: 'completed', result: () => result ?? toEmptyResult(type) }
    case 'delay': {
      const untilMs = settlement.wait.endMs
      return { status: 'completed', untilMs, result: () => result ?? { duration: untilMs - nowMs } }
    }
    case 'wait_for_event': {
      if (simulation.options.service === 'listed')
        return { status: 'failed', result: () => ({}), error: unsupported(step) }
      if (result?.['received'] === true) return { status: 'completed', result: () => result }
      const none = result ?? toEmptyResult(type)
      const untilMs = settlement.wait.endMs
      return { status: 'completed', untilMs, result: () => none, ...(!result && { awaited: outputs }) }
    }
    case 'triggered':
      return result ? { status: 'completed', result: () => result } : settleTrigger(simulation, run, { step, outputs })
    case 'throttle': {
      const counted = result ?? simulation.throttles.count(stepId, outputs, { nowMs, endMs: settlement.wait.endMs })
      const held = counted['throttled'] === true
      return { status: held ? 'skipped' : 'completed', result: () => counted, ...(held && { rest: 'skipped' }) }
    }
    case 'digest':
      return settleDigest(simulation, run, { step, answer, untilMs: settlement.wait.endMs })
  }
}

function settleTrigger(
  simulation: Simulation,
  run: TriggerRun,
  { step, outputs }: Pick<ExecutedStep, 'step'> & { readonly outputs: JsonObject },
): Settlement {
  if (simulation.options.service === 'listed') return { status: 'failed', result: () => ({}), error: unsupported(step) }
  const children = planChildren(simulation, run, { step, outputs })
  if (typeof children === 'string')
    return {
      ...{ status: 'failed', result: () => ({}) },
      error: toSettlementFault(step, { kind: 'invalid', reason: children }),
    }
  const transactionId = toChildTransactionId({ runId: run.trigger.id, stepId: step.stepId })
  const awaitsChildren = outputs['await'] === true
  const result = (): JsonObject =>
    awaitsChildren
      ? toChildrenResult({ transactionId, runs: children.map(toChildResult) })
      : toTriggeredResult(transactionId)
  return { status: 'completed', result, children, awaitsChildren }
}

function toChildResult({ simulation, run }: ChildRun) {
  return { runId: run.trigger.id, subscriberId: simulation.subscriber.subscriberId, status: toRunEnd(run) }
}

function unsupported({ stepId, type }: ExecutedStep['step']): StepFailure {
  const message =
    `Step "${stepId}" ${type === 'trigger' ? 'triggers a workflow' : 'waits for an event'}, which a service that follows the list of steps cannot do: it needs ` +
    'run-driven execution.'
  return { code: 'StepNotSupportedError', status: 400, message, data: { stepId, type } }
}

function settleDigest(
  { digests }: Pick<Simulation, 'digests'>,
  { nowMs, trigger }: TriggerRun,
  {
    step: { stepId },
    answer: { reply, result },
    untilMs,
  }: Pick<ExecutedStep, 'step' | 'answer'> & { readonly untilMs: number },
): Settlement {
  const { outputs = {} } = reply ?? {}
  const entry: DigestEntry = { event: trigger, nowMs, endMs: untilMs }
  const toOpened = (endMs: number): Settlement => ({
    status: 'completed',
    untilMs: endMs,
    result: () => {
      const collected = digests.close(stepId, outputs)
      return result ?? collected
    },
  })
  switch (digests.add(stepId, outputs, entry)) {
    case 'opened':
      return toOpened(untilMs)
    case 'passed':
      return { status: 'completed', result: () => result ?? toDigestResult([entry.event]) }
    case 'merged':
      return {
        ...{ status: 'merged', result: () => ({}), rest: 'merged' },
        whenPromoted: (start) => {
          entry.promote = ({ atMs, endMs }) => start(atMs, toOpened(endMs))
        },
      }
  }
}
