import type { JsonObject, StepManifest } from '@trestle/protocol'
import { result as resultOf } from '../context/step-stub.ts'
import type { StepFailure } from '../report/run-report.ts'
import type { Settlement, Simulation, StepAnswer, TriggerRun } from './simulation.ts'
import { toWaitEnd } from './timing/wait-end.ts'

/** A step the bridge has answered. */
export interface AnsweredStep {
  /** The run it belongs to. */
  readonly run: TriggerRun
  /** The step. */
  readonly step: StepManifest
  /** The bridge's answer. */
  readonly answer: StepAnswer
}

/**
 * Decides what the service makes of a bridge's answer: whether it waits, what it stores, whether the run goes on. A
 * failed step does not end the run.
 *
 * @param simulation - The digests and throttles that several triggers share.
 * @param answered - The step and the answer.
 */
export function settleStep(simulation: Simulation, answered: AnsweredStep): Settlement {
  const { step, answer } = answered
  const { reply, error, result } = answer
  if (error || !reply) return { status: 'failed', result: () => ({}), ...(error && { error }) }
  if (reply.options.skip) return { status: 'skipped', result: () => ({}) }
  const { outputs } = reply
  switch (step.type) {
    case 'digest':
    case 'delay':
    case 'throttle':
      return settleTiming(simulation, answered, outputs)
    case 'custom':
    case 'http_request':
      return { status: 'completed', result: () => outputs }
    default:
      return { status: 'completed', result: () => result ?? (step.type === 'in_app' ? resultOf.inApp() : {}) }
  }
}

function settleTiming(simulation: Simulation, { run, step, answer }: AnsweredStep, outputs: JsonObject): Settlement {
  const { nowMs, trigger } = run
  const untilMs = toWaitEnd(outputs, nowMs, trigger.payload)
  if (typeof untilMs === 'string') return noSuchTime(step, untilMs)
  const { stepId } = step
  if (step.type === 'delay')
    return { status: 'completed', untilMs, result: () => answer.result ?? { duration: untilMs - nowMs } }
  if (step.type === 'throttle') {
    const counted = answer.result ?? simulation.throttles.count(stepId, outputs, { nowMs, endMs: untilMs })
    const held = counted['throttled'] === true
    return { status: held ? 'skipped' : 'completed', result: () => counted, ...(held && { rest: 'skipped' }) }
  }
  const added = simulation.digests.add(stepId, outputs, { id: trigger.id, atMs: nowMs, payload: trigger.payload })
  if (added === 'merged') return { status: 'merged', result: () => ({}), rest: 'merged' }
  if (added === 'passed') return { status: 'skipped', result: () => ({}) }
  return {
    status: 'completed',
    untilMs,
    result: () => {
      const collected = simulation.digests.close(stepId, outputs)
      return answer.result ?? collected
    },
  }
}

/** The failure of a step whose handler returned something the service cannot wait for. */
function noSuchTime({ stepId, type }: StepManifest, why: string): Settlement {
  const message = `Step "${stepId}" cannot wait: ${why}.`
  const error: StepFailure = {
    code: 'ExecutionStateOutputInvalidError',
    status: 400,
    message,
    data: { stepId, type, issues: [{ path: '', message: why }] },
  }
  return { status: 'failed', result: () => ({}), error }
}
